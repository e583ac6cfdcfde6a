import { urlSegment } from '../../json/url-segment.ts'
import type { ResourceModel } from '../api-model.ts'
import { refTo } from './contents.ts'
import type { Operations, Paths } from './operations.ts'

export function objectPaths(resource: ResourceModel, operations: Operations): Paths {
  const { name, types, example, newExample } = resource
  const path = `/${urlSegment(name)}`
  const answer = { schema: refTo(types.row), example }
  const write = (verb: 'create' | 'replace' | 'patch', schema: string, summary: string, status = 200) =>
    operations.make({
      deed: `${verb}Object`,
      path,
      tag: name,
      id: `${verb === 'patch' ? 'update' : verb}${types.row}`,
      summary,
      body: { schema: refTo(schema), example: newExample },
      answer: { ...answer, status },
    })
  const get = operations.make({
    deed: 'object',
    path,
    tag: name,
    id: `get${types.row}`,
    summary: `Get ${name}`,
    answer,
  })
  const writes = () => ({
    post: write('create', types.fresh, `Replace ${name}`, 201),
    put: write('replace', types.fresh, `Replace ${name}`),
    patch: write('patch', types.patch, `Change fields of ${name}`),
  })
  return { [path]: { get, ...operations.writes(writes) } }
}
