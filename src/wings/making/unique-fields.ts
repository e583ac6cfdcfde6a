import { valueAt } from '../../core/engine/rules/compiled-rules.ts'
import type { Row } from '../../core/engine/types.ts'
import { fold, toText } from '../../core/kernel/catalogue/text.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../schemas/json-schema.ts'
import { numberIn, TRIES } from './maker.ts'

/** Numbers that are tried in a value. */
const MOST_NUMBERS = 100_000

const NUMBERED = /^(.*?)(\d{1,15})$/s

/** Fields whose values, together, no two rows have. Text is compared whatever its case, to be safe. */
export class UniqueValues {
  readonly #fields: readonly string[]
  readonly #areIds: boolean
  readonly #taken = new Set<string | undefined>()
  /** The last number after each start, such as `AB-` in `AB-1042`. */
  readonly #last = new Map<string, number>()

  /** @param areIds whether texts go on after the highest number: `p-100` after `p-99`. Codes stay as long as they are. */
  constructor(fields: readonly string[], areIds = false) {
    this.#fields = fields
    this.#areIds = areIds
  }

  /** For rows that are there. */
  add(row: Row): void {
    this.#taken.add(this.#keyOf(row))
    for (const field of this.#fields) {
      const value = valueAt(row, field)
      const [, start, digits] = NUMBERED.exec(toText(value)) ?? []
      if (start === undefined || !(this.#areIds || typeof value === 'number')) continue
      this.#last.set(start, Math.max(this.#last.get(start) ?? 1, Number(digits)))
    }
  }

  /** Makes a field of a new row again until the row differs from all others; in the end, by a number in it. */
  settle(row: Row, sent: Row, schema: JsonSchema, remake: (name: string) => unknown): void {
    const field = this.#fields.find((path) => !Object.hasOwn(sent, topOf(path, row)))
    if (field !== undefined) {
      const name = topOf(field, row)
      for (let left = TRIES; left > 0 && this.#isTaken(row); left--) row[name] = remake(name)
      if (name === field) this.#differ(row, name, schema.properties?.[name] ?? {})
    }
    this.#taken.add(this.#keyOf(row))
  }

  #differ(row: Row, name: string, schema: JsonSchema): void {
    const values = Array.isArray(schema.enum) ? schema.enum.values() : this.#numbered(row, name, schema)
    while (this.#isTaken(row)) {
      const next = values.next()
      if (next.done) return
      row[name] = next.value
    }
  }

  /** Of true and false, there are not more. */
  *#numbered(row: Row, name: string, schema: JsonSchema): Generator<number | string> {
    const value = row[name]
    const most = numberIn(schema, 'maxLength') ?? Number.POSITIVE_INFINITY
    for (let left = MOST_NUMBERS; left > 0; left--) {
      if (typeof value === 'number') yield this.#next('')
      else if (typeof value === 'string') yield this.#withNumber(value, most)
    }
  }

  /** `AB-1043` for `AB-1042`, `ada+2@a.test`, `Red desk 2` */
  #withNumber(value: string, most: number): string {
    const [name = '', ...domain] = value.split('@')
    const mark = domain.length > 0 ? '+' : /\s/.test(name) ? ' ' : name.includes('-') ? '-' : ''
    const [, start = name + mark, digits = ''] = NUMBERED.exec(name) ?? []
    const end = [String(this.#next(start)).padStart(digits.length, '0'), ...domain].join('@')
    return `${start.slice(0, Math.max(0, most - end.length))}${end}`
  }

  #next(start: string): number {
    const number = (this.#last.get(start) ?? 1) + 1
    this.#last.set(start, number)
    return number
  }

  #isTaken(row: Row): boolean {
    const key = this.#keyOf(row)
    return key !== undefined && this.#taken.has(key)
  }

  #keyOf(row: Row): string | undefined {
    const texts: string[] = []
    for (const field of this.#fields) {
      const value = valueAt(row, field)
      if (value === undefined || value === null) return undefined
      texts.push(fold(toText(isObject(value) ? JSON.stringify(value) : value)))
    }
    return texts.length === 1 ? texts[0] : JSON.stringify(texts)
  }
}

/** The field of the row that the path begins with. */
export function topOf(path: string, row: Row): string {
  return Object.hasOwn(row, path) ? path : (path.split('.', 1)[0] ?? path)
}
