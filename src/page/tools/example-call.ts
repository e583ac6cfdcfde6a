import { urlSegment } from '../../core/kernel/json/url-segment.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { fieldsOfSchema, type Schema } from '../client/field-schema.ts'
import { type Operation, type OperationDetails, responsesOf } from './read-document.ts'

/** A request that works on the data as it is. */
export interface ExampleCall {
  readonly method: string
  readonly path: string
  readonly body?: string
}

export interface ExampleSource {
  readonly row: unknown
  readonly schema: Schema
  readonly idField: string
}

/** The values of the path come from a row, the body from the document. */
export function exampleCall(
  { method, path }: Operation,
  { parameters, body }: OperationDetails,
  source: ExampleSource,
): ExampleCall {
  const id = valueIn(source.row, source.idField)
  const [, parent = ''] = path.split('/')
  const isNested = /^\/[^/]+\/\{\w+\}\/[^/{]+/.test(path)
  const ids = isNested ? [valueIn(source.row, keyTo(parent, source.schema)), id] : [id]
  const filled = path.replaceAll(/\{\w+\}/g, () => ids.shift() ?? id)
  // Without a filter, all rows would be changed.
  const isOfMany = parameters.some(({ name }) => name === '_all')
  const query = isOfMany ? `?${urlSegment(source.idField)}=${id}` : ''
  return { method, path: `${filled}${query}`, ...(body && { body: JSON.stringify(body.example ?? {}) }) }
}

export function exampleRow(operations: readonly Operation[], root: Schema): unknown {
  for (const { raw } of operations) {
    const examples = responsesOf(raw, root).map(({ example }) => example)
    const row = examples.map((example) => (Array.isArray(example) ? example[0] : example)).find(isObject)
    if (row) return row
  }
  return undefined
}

function keyTo(parent: string, schema: Schema): string {
  const key = fieldsOfSchema(schema).find(({ references = '' }) => urlSegment(references) === parent)
  return key?.name ?? ''
}

function valueIn(row: unknown, field: string): string {
  const value = isObject(row) && Object.hasOwn(row, field) ? row[field] : undefined
  return typeof value === 'string' || typeof value === 'number' ? urlSegment(String(value)) : '1'
}
