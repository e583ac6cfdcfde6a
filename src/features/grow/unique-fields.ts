import { fold, toText } from '../../core/kernel/catalogue/text.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { type GrownRow, numberIn, TRIES } from './maker.ts'

/** Numbers that are tried in a value: earlier rows may have thousands of them. */
const MOST_NUMBERS = 100_000

/** Fields whose values, together, no two rows have. Text is compared whatever its case, to be safe. */
export class UniqueValues {
  readonly #fields: readonly string[]
  readonly #taken = new Set<string>()
  #highest = 0
  #number = 1
  /** Fewer once there is hardly anything left to find. */
  #tries = TRIES

  constructor(fields: readonly string[]) {
    this.#fields = fields
  }

  add(row: GrownRow): void {
    const key = this.#keyOf(row)
    if (key === undefined) return
    this.#taken.add(key)
    for (const field of this.#fields) {
      const value = valueAt(row, field)
      // Above 2^53, adding one changes nothing.
      if (Number.isSafeInteger(value) && Number(value) > this.#highest) this.#highest = Number(value)
    }
  }

  /** Makes a field of a new row again until the row differs from all others; in the end, by a number in it. */
  settle(row: GrownRow, sent: GrownRow, schema: JsonSchema, remake: (name: string) => unknown): void {
    const field = this.#fields.find((path) => !Object.hasOwn(sent, topOf(path, row)))
    if (field !== undefined && this.#isTaken(row)) {
      const name = topOf(field, row)
      for (let left = this.#tries; left > 0 && this.#isTaken(row); left--) row[name] = remake(name)
      if (this.#isTaken(row)) this.#tries = Math.ceil(this.#tries / 2)
      if (name === field && this.#isTaken(row)) this.#differ(row, name, schema.properties?.[name] ?? {})
    }
    this.add(row)
  }

  #differ(row: GrownRow, name: string, schema: JsonSchema): void {
    if (Array.isArray(schema.enum)) {
      const free = schema.enum.find((value) => !this.#isTaken({ ...row, [name]: value }))
      if (free !== undefined) row[name] = free
      return
    }
    for (let left = MOST_NUMBERS; left > 0 && this.#isTaken(row); left--) {
      const value = row[name]
      // Of true and false, there are not more.
      if (typeof value !== 'number' && typeof value !== 'string') break
      row[name] = this.#numbered(value, schema)
    }
  }

  #isTaken(row: GrownRow): boolean {
    const key = this.#keyOf(row)
    return key !== undefined && this.#taken.has(key)
  }

  #keyOf(row: GrownRow): string | undefined {
    const texts: string[] = []
    for (const field of this.#fields) {
      const value = valueAt(row, field)
      if (value === undefined || value === null) return undefined
      texts.push(fold(toText(isObject(value) ? JSON.stringify(value) : value)))
    }
    return texts.length === 1 ? texts[0] : JSON.stringify(texts)
  }

  #numbered(value: number | string, schema: JsonSchema): number | string {
    if (typeof value === 'number') {
      this.#highest += 1
      return this.#highest
    }
    const number = String(++this.#number)
    const [name = '', domain] = value.split('@')
    // A code, such as AB-1042, stays as long as it is.
    const [digits = ''] = domain === undefined ? (/(?<=\D)\d+$/.exec(name) ?? []) : []
    const bare = digits ? name.slice(0, -digits.length) : name.replace(/\+?\d*$/, '')
    const mark =
      digits !== '' ? '' : domain !== undefined ? '+' : /\s/.test(bare) ? ' ' : bare.includes('-') ? '-' : ''
    const end = `${mark}${number.padStart(digits.length, '0')}${domain === undefined ? '' : `@${domain}`}`
    const most = numberIn(schema, 'maxLength') ?? bare.length + end.length
    return `${bare.slice(0, Math.max(0, most - end.length))}${end}`
  }
}

/** The field of the row that the path begins with. */
function topOf(path: string, row: GrownRow): string {
  return Object.hasOwn(row, path) ? path : (path.split('.', 1)[0] ?? path)
}

/** Own fields only. A dot leads into objects, unless a field has that name. */
function valueAt(row: unknown, path: string): unknown {
  if (!isObject(row)) return undefined
  if (Object.hasOwn(row, path)) return row[path]
  const dot = path.indexOf('.')
  return dot === -1 ? undefined : valueAt(row[path.slice(0, dot)], path.slice(dot + 1))
}
