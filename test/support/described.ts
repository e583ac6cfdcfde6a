import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeData } from '../../src/features/import/describe-data.ts'
import { openApi } from './http/serve.ts'

type Node = Readonly<Record<string, unknown>>

/** The data of an API description, served. */
export async function serveDescribed(document: Node, options: Parameters<typeof describeData>[2] = {}) {
  const described = await describeData(document, 'openapi.json', options)
  const { data, settings, rules } = described
  const api = await openApi({ ...settings, data: structuredClone(data), live: false, routes: rules })
  const ask = (path: string, { method = 'GET', json: body }: { method?: string; json?: unknown } = {}) =>
    api.ask(method, path, body)
  return { ...described, ask }
}

/** Whether a value fits a schema of an OpenAPI 3.1 document. */
export function fits(document: Node, schema: object, value: unknown): string | undefined {
  const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true })
  addFormats.default(ajv)
  const whole = { ...schema, components: document.components, definitions: document.definitions }
  const check = ajv.compile(whole)
  return check(value) ? undefined : `${ajv.errorsText(check.errors)}: ${JSON.stringify(value).slice(0, 500)}`
}

/** JSON as the content of an answer or a request. */
export function json(schema: object, extra: object = {}) {
  return { content: { 'application/json': { schema, ...extra } } }
}

/** Answers of status 200. */
export function ok(schema: object, extra: object = {}) {
  return { 200: { description: 'OK', ...json(schema, extra) } }
}

export function listOf(schema: object) {
  return { type: 'array', items: schema }
}

export function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}
