import { type ApiModel, childrenOf, type ResourceModel } from '../api-model.ts'
import { segment } from '../segment.ts'
import { inComment, keyText, objectText, typeText } from './type-text.ts'

export interface TypesOptions {
  /** What the types were made from, for the first line. */
  readonly source?: string | undefined
  /** Nothing can be written. */
  readonly readOnly?: boolean
}

/** TypeScript types of everything that is served: of rows, of new rows, and of what each path takes and gives. */
export function typesText(model: ApiModel, { source, readOnly = false }: TypesOptions = {}): string {
  const from = source === undefined ? '' : ` from ${inComment(source)}`
  return [
    `// Made by \`restable types\`${from}. Changes to this file are lost when it is made again.\n`,
    ...model.resources.map((resource) => resourceText(resource, readOnly)),
    `/** What is behind each name. */\nexport interface Resources {\n${model.resources.map(resourceLine).join('')}}\n`,
    pathsText(model, readOnly),
  ].join('\n')
}

function resourceText({ name, kind, types, schema, newSchema }: ResourceModel, readOnly: boolean): string {
  const what = kind === 'collection' ? 'One of' : 'The object at'
  const row = declaration(types.row, schema, `${what} /${inComment(name)}`)
  if (readOnly) return row
  const fresh = kind === 'collection' ? 'To be sent; the server adds what is missing' : 'To be sent'
  return `${row}\n${declaration(types.fresh, newSchema, fresh)}`
}

/** An interface where it can be one: editors show its name instead of all that is in it. */
function declaration(name: string, schema: ResourceModel['schema'], about: string): string {
  const isInterface = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
  const body = isInterface ? objectText(schema, noRef) : typeText(schema, noRef)
  return `/** ${about} */\nexport ${isInterface ? `interface ${name} ${body}` : `type ${name} = ${body}`}\n`
}

const noRef = () => undefined

function resourceLine({ name, kind, types }: ResourceModel): string {
  return `  ${keyText(name)}: ${types.row}${kind === 'collection' ? '[]' : ''}\n`
}

function pathsText(model: ApiModel, readOnly: boolean): string {
  const paths = model.resources.flatMap((resource) => pathsOf(model, resource))
  const about = '/** What each path takes (`body`) and gives (`data`), method by method. */'
  const lines = paths.map(([path, methods]) => {
    const kept = methods.filter(({ method }) => !readOnly || method === 'GET')
    return `  ${JSON.stringify(path)}: {\n${kept.map(methodLine).join('')}  }\n`
  })
  return `${about}\nexport interface Paths {\n${lines.join('')}}\n`
}

interface Method {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: string
  readonly data: string
}

function methodLine({ method, body, data }: Method): string {
  return `    ${method}: { ${body === undefined ? '' : `body: ${body}; `}data: ${data} }\n`
}

function pathsOf(
  model: ApiModel,
  { name, kind, types }: ResourceModel,
): readonly (readonly [string, Method[]])[] {
  const path = `/${segment(name)}`
  const { row: data, fresh: body } = types
  const change: Method[] = [
    { method: 'PUT', body, data },
    { method: 'PATCH', body: `Partial<${body}>`, data },
  ]
  if (kind === 'object') return [[path, [{ method: 'GET', data }, { method: 'POST', body, data }, ...change]]]
  const nested = childrenOf(model, name).map(({ child, field }): [string, Method[]] => {
    const body = `Omit<${child.types.fresh}, ${JSON.stringify(field)}>`
    return [`${path}/{id}/${segment(child.name)}`, listMethods(child.types.row, body)]
  })
  const remove: Method = { method: 'DELETE', data: 'Record<string, never>' }
  return [
    [path, listMethods(data, body)],
    [`${path}/{id}`, [{ method: 'GET', data }, ...change, remove]],
    ...nested,
  ]
}

function listMethods(data: string, body: string): Method[] {
  return [
    { method: 'GET', data: `${data}[]` },
    { method: 'POST', body, data },
  ]
}
