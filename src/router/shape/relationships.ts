import { isObject } from '../../json/values.ts'
import type { Row } from '../../storage/types.ts'
import { type RequestShape, showRow } from './request-shape.ts'

/** Rows without what was attached to them, which is gathered once, however many rows refer to it. */
export class Included {
  readonly #request: RequestShape
  readonly #rows = new Map<string, unknown>()

  constructor(request: RequestShape) {
    this.#request = request
  }

  get rows(): readonly unknown[] {
    return [...this.#rows.values()]
  }

  show(row: unknown): unknown {
    if (!isObject(row)) return row
    const { shape, relations } = this.#request
    const fields = { ...row }
    const relationships: Row = {}
    for (const [name, collection] of relations) {
      if (!Object.hasOwn(row, name)) continue
      const related = row[name]
      delete fields[name]
      const data = Array.isArray(related)
        ? related.map((one) => this.#add(one, collection))
        : this.#add(related, collection)
      relationships[shape.showKey?.(name) ?? name] = { data }
    }
    return showRow(this.#request, fields, { relationships })
  }

  /** What refers to a related row. */
  #add(row: unknown, type: string): unknown {
    const { id: name, shape } = this.#request
    if (!isObject(row)) return null
    const id = String(row[name])
    const key = `${type}\n${id}`
    if (!this.#rows.has(key)) this.#rows.set(key, shape.row(row, name, { resource: type }))
    return { type, id }
  }
}
