import { urlSegment } from '../json/url-segment.ts'
import { type ApiModel, childrenOf, type ResourceModel } from './api-model.ts'
import { nestedKey, relationsOf } from './relations.ts'
import { isPlainObject, keyText } from './type-text.ts'

/** Of a type that has several forms, `Omit` would leave only what they have in common. */
const OMIT_EACH = `/** \`Omit\`, for each form of a type. */
type OmitEach<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never
`

function omit(schema: ResourceModel['schema']): string {
  return isPlainObject(schema) ? 'Omit' : 'OmitEach'
}

/** `Paths`: what each path and method takes and returns. */
export function pathsText(model: ApiModel, readOnly: boolean): string {
  const paths = model.resources.flatMap((resource) => pathsOf(model, resource))
  const lines = paths.map(([path, methods]) => {
    const kept = methods.filter(({ method }) => !readOnly || method === 'GET')
    return `  ${JSON.stringify(path)}: {\n${kept.map(methodLine).join('')}  }\n`
  })
  const about = '/** Request `body` and response `data` of each path and method. */'
  const text = `${about}\nexport interface Paths {\n${lines.join('')}}\n`
  return text.includes(' OmitEach<') ? `${OMIT_EACH}\n${text}` : text
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
    const key = JSON.stringify(field)
    const body = `${omit(child.newSchema)}<${child.types.fresh}, ${key}>`
    const isText = nestedKey(child, field) !== undefined
    const made = isText
      ? `${omit(child.schema)}<${child.types.row}, ${key}> & { ${keyText(field)}: string }`
      : child.types.row
    const place = { path: `${path}/{id}/${urlSegment(child.name)}`, id: '{childId}', body, made }
    return collectionPaths(model, child, place)
  })
  const place = { path, id: '{id}', body: types.fresh, made: types.row }
  return [...collectionPaths(model, resource, place), ...nested]
}

interface CollectionPlace {
  readonly path: string
  readonly id: string
  readonly body: string
  readonly made: string
}

function collectionPaths(
  model: ApiModel,
  resource: ResourceModel,
  { path, id, body, made }: CollectionPlace,
): readonly PathText[] {
  const { row } = resource.types
  const read = withRelations(model, resource)
  return [
    [
      path,
      [
        { method: 'GET', data: listOf(read) },
        { method: 'POST', body, data: made },
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

/** The type of a row as it is read: with what the request may attach. */
export function withRelations(model: ApiModel, resource: ResourceModel): string {
  const { row, relations } = resource.types
  return relationsOf(model, resource).length === 0 ? row : `${row} & ${relations}`
}

export function listOf(type: string): string {
  return type.includes(' ') ? `(${type})[]` : `${type}[]`
}
