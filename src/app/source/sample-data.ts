import { foreignKey } from '../../storage/relations/relations.ts'
import type { Data, Naming } from '../../storage/types.ts'

/** A small database to start with, as in every json-server tutorial, with the key names the server was started with. */
export function sampleData(naming: Naming = { id: 'id', foreignKeySuffix: 'Id' }): Data {
  const { id } = naming
  const post = foreignKey('posts', naming)
  return {
    posts: [
      { [id]: 1, title: 'Hello, REST', author: 'Ada' },
      { [id]: 2, title: 'A second post', author: 'Grace' },
    ],
    comments: [
      { [id]: 1, body: 'Good to see it running', [post]: 1 },
      { [id]: 2, body: 'Where do I add more?', [post]: 1 },
      { [id]: 3, body: 'In this very file', [post]: 2 },
    ],
    profile: { name: 'Ada' },
  }
}
