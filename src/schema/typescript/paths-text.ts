import { urlSegment } from '../../json/url-segment.ts'
import { type ApiModel, childrenOf, type ResourceModel } from '../api-model.ts'
import { listOf, withRelations } from './type-uses.ts'

/** `Paths`: what each path and method takes and returns. */
export function pathsText(model: ApiModel, readOnly: boolean): string {
  const paths = model.resources.flatMap((resource) => pathsOf(model, resource))
  const lines = paths.map(([path, methods]) => {
    const kept = methods.filter(({ method }) => !readOnly || method === 'GET')
    return `  ${JSON.stringify(path)}: {\n${kept.map(methodLine).join('')}  }\n`
  })
  const about = '/** Request `body` and response `data` of each path and method. */'
  return `${about}\nexport interface Paths {\n${lines.join('')}}\n`
}

interface Method {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: string
  readonly data: string
}

type PathText = readonly [path: string, methods: readonly Method[]]

function methodLine({ method, body, data }: Method): string {
  return `    ${method}: { ${body === undefined ? '' : `body: ${body}; `}data: ${data} }\n`
}

function pathsOf(model: ApiModel, resource: ResourceModel): readonly PathText[] {
  const { name, kind, types } = resource
  const path = `/${urlSegment(name)}`
  if (kind === 'object') {
    const { row: data, fresh: body } = types
    return [[path, [{ method: 'GET', data }, { method: 'POST', body, data }, ...changes(types.row, body)]]]
  }
  const nested = childrenOf(model, name).flatMap(({ child, field }) => {
    // The path has the foreign key.
    const body = `Omit<${child.types.fresh}, ${JSON.stringify(field)}>`
    return collectionPaths(model, child, `${path}/{id}/${urlSegment(child.name)}`, '{childId}', body)
  })
  return [...collectionPaths(model, resource, path, '{id}', types.fresh), ...nested]
}

/** The path of a list, and that of its items. */
function collectionPaths(
  model: ApiModel,
  resource: ResourceModel,
  path: string,
  id: string,
  body: string,
): readonly PathText[] {
  const { row } = resource.types
  const read = withRelations(model, resource)
  return [
    [
      path,
      [
        { method: 'GET', data: listOf(read) },
        { method: 'POST', body, data: row },
        { method: 'PATCH', body: `Partial<${body}>`, data: listOf(row) },
        { method: 'DELETE', data: NOTHING },
      ],
    ],
    [
      `${path}/${id}`,
      [{ method: 'GET', data: read }, ...changes(row, body), { method: 'DELETE', data: NOTHING }],
    ],
  ]
}

function changes(data: string, body: string): readonly Method[] {
  return [
    { method: 'PUT', body, data },
    { method: 'PATCH', body: `Partial<${body}>`, data },
  ]
}

const NOTHING = 'Record<string, never>'
