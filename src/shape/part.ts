import { isObject } from '../json/values.ts'
import { compile, type Fill, type Path, pathTo, type Template, type Values } from './template.ts'

/** Stands for the rows of a list in a frame. */
export const ROWS = '\0rows\0'

const WRITTEN = JSON.stringify(ROWS)

/** What surrounds the rows of a list, as JSON with two spaces. */
export interface Frame {
  readonly before: string
  readonly after: string
  /** How deep in the whole the list is. */
  readonly depth: number
  /** The whole, not as text. */
  around(rows: readonly unknown[]): unknown
}

/** A part of a template that has a place for one row, its fields, or all rows. */
export class Part {
  readonly fill: Fill
  readonly #path: Path
  readonly #template: Template

  constructor(template: Template, word: 'rows' | 'row' | 'fields') {
    this.#template = template
    this.fill = compile(template)
    this.#path = pathTo(word, template) ?? []
  }

  frame(values: Values): Frame {
    const filled = this.fill(values)
    const [before = '', after = ''] = JSON.stringify(filled, null, 2).split(WRITTEN)
    return { before, after, depth: this.#path.length, around: (rows) => withRows(filled, rows) }
  }

  /** What is at the place of the row, if all that is around it is what the template has there. */
  find(body: unknown, resource: string): unknown {
    let [here, template] = [body, this.#template]
    if (this.#path.length === 0) return undefined
    for (const key of this.#path) {
      if (!isObject(here) || !isObject(template)) return undefined
      const names = new Set(Object.keys(template).map((name) => named(name, resource)))
      const own = named(key, resource)
      if (!Object.hasOwn(here, own) || !Object.keys(here).every((name) => names.has(name))) return undefined
      here = here[own]
      template = template[key]
    }
    return typeof here === 'object' && here !== null ? here : undefined
  }
}

function withRows(value: unknown, rows: readonly unknown[]): unknown {
  if (value === ROWS) return rows
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRows(inner, rows)]))
}

function named(key: string, resource: string): string {
  return key === '$resource' ? resource : key
}
