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

  constructor(template: Template, word: 'rows' | 'row' | 'fields') {
    this.fill = compile(template)
    this.#path = pathTo(word, template) ?? []
  }

  frame(values: Values): Frame {
    const filled = this.fill(values)
    const [before = '', after = ''] = JSON.stringify(filled, null, 2).split(WRITTEN)
    return { before, after, depth: this.#path.length, around: (rows) => withRows(filled, rows) }
  }
}

function withRows(value: unknown, rows: readonly unknown[]): unknown {
  if (value === ROWS) return rows
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRows(inner, rows)]))
}
