import { isObject } from '../../core/kernel/json/values.ts'
import type { ShapeTemplate } from './shape-template.ts'
import { pathTo, type Template, type TemplatePath, wordIn } from './template.ts'

/** The row or the rows in a body that is wrapped as responses are. Any other body is taken as it is. */
export function unwrap(
  body: unknown,
  { item = '$row', list = '$rows', unpaged = list, offset = list, ignored }: ShapeTemplate,
  resource: string,
  mayBeList: boolean,
): unknown {
  const isBare = item === '$row'
  const row = isBare ? undefined : partAt(body, item, pathTo('row', item), resource, ignored)
  if (isObject(row) || (mayBeList && Array.isArray(row))) return row
  // Where rows are sent as they are, a list in one is a field of it.
  for (const part of mayBeList && !isBare ? [list, unpaged, offset] : []) {
    const rows = partAt(body, part, pathTo('rows', part), resource, ignored)
    if (Array.isArray(rows)) return rows
  }
  return body
}

export interface OpenedRow {
  readonly fields: Record<string, unknown>
  readonly relationships: unknown
  readonly id: unknown
  /** Whether ids are text, whatever is stored. */
  readonly isIdText: boolean
  /** Where rows say their resource: what this one says. */
  readonly resources: readonly unknown[]
}

/**
 * The parts of a row that looks as in responses; undefined if it does not.
 * @param isWrapped whether it was: then it need not have more than a resource to look so
 */
export function openRow(
  row: unknown,
  { row: template, ignored }: ShapeTemplate,
  resource: string,
  isWrapped: boolean,
): OpenedRow | undefined {
  if (!isObject(template)) return undefined
  const at = (path: TemplatePath | undefined) => partAt(row, template, path, resource, ignored)
  const relationships = at(pathTo('relationships', template))
  const fields = at(pathTo('fields', template) ?? pathTo('row', template))
  const names = Object.keys(template).filter((key) => wordIn(String(template[key])) === 'resource')
  const resources = names.map((key) => at([key]))
  const isNamed = resources.some((name) => name === resource || (isWrapped && name !== undefined))
  if (!isObject(fields) && !isNamed && !isObject(relationships)) return undefined
  const text = pathTo('id', template, '{$id}')
  return {
    fields: isObject(fields) ? fields : {},
    relationships,
    id: at(text ?? pathTo('id', template)),
    isIdText: text !== undefined,
    resources,
  }
}

/** The value at a path of a template, if the rest of the body is as in the template, or ignored. */
function partAt(
  body: unknown,
  template: Template,
  path: TemplatePath | undefined,
  resource: string,
  ignored: readonly string[] = [],
): unknown {
  let [here, pattern] = [body, template]
  for (const key of path ?? []) {
    if (!isObject(here) || !isObject(pattern)) return undefined
    const known = new Set([...Object.keys(pattern).map((name) => named(name, resource)), ...ignored])
    const own = named(key, resource)
    if (!Object.hasOwn(here, own) || !Object.keys(here).every((name) => known.has(name))) return undefined
    here = here[own]
    pattern = pattern[key]
  }
  return path && here
}

function named(key: string, resource: string): string {
  return key === '$resource' ? resource : key
}
