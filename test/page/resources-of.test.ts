import { expect, it } from 'vitest'
import { resourcesOf } from '../../src/page/client/resources-of.ts'

it('finds collections, objects and relations in the data itself', () => {
  const data = { posts: [{ id: 1, authorId: 2 }, null], authors: [{ id: 2 }], profile: {}, version: 3 }
  expect(resourcesOf(data)).toEqual([
    {
      name: 'posts',
      kind: 'collection',
      count: 2,
      relations: [{ field: 'authorId', resource: 'authors', expand: 'author' }],
    },
    { name: 'authors', kind: 'collection', count: 1, relations: [] },
    { name: 'profile', kind: 'object', count: null, relations: [] },
  ])
})

it.each([null, 'text', 3, undefined])('finds nothing in %j', (data) => {
  expect(resourcesOf(data)).toEqual([])
})
