import { StorageError, type StorageErrorCode } from '../../catalogue/error-classes.ts'
import type { FieldFault } from '../resource-rules.ts'

/** Nobody reads more of them. The others are counted. */
const MOST_ERRORS = 100

/** The message names this many. */
const MOST_NAMED = 3

/** To find more of them would keep other writes waiting. */
const MOST_COUNTED = 100_000

/** Where a row stands in what the client sent, and what to call it. */
export interface Label {
  /** Before the names of its fields: `1.` for the second row of a list. */
  readonly prefix: string
  /** For rows that the client did not send, such as those that a filter found. */
  readonly name?: string | undefined
}

export class FieldErrors {
  readonly #code: StorageErrorCode
  readonly #errors = new Map<string, string>()
  readonly #sentences: string[] = []
  #count = 0

  constructor(code: StorageErrorCode) {
    this.#code = code
  }

  /** Throws if there are more than are counted. */
  add({ prefix, name }: Label, { path, message }: FieldFault): void {
    if (this.#errors.size >= MOST_ERRORS) {
      if (++this.#count >= MOST_COUNTED) this.refuse()
      return
    }
    const key = path === '' ? prefix.replace(/\.$/, '') : `${prefix}${path}`
    if (this.#errors.has(key)) return
    this.#errors.set(key, message)
    this.#count++
    const subject = key === '' ? 'The item' : key
    this.#sentences.push(name === undefined ? `${subject} ${message}` : `In ${name}, ${subject} ${message}`)
  }

  refuse(): void {
    if (this.#count === 0) return
    const named = this.#sentences.slice(0, MOST_NAMED).join('; ')
    const errors = Object.fromEntries(this.#errors)
    throw new StorageError(this.#code, `${named}${this.#others()}. Nothing was changed.`, { errors })
  }

  #others(): string {
    if (this.#count <= MOST_NAMED) return ''
    const more = (this.#count - MOST_NAMED).toLocaleString('en-US')
    const isCut = this.#count > this.#errors.size
    return `; and ${this.#count >= MOST_COUNTED ? 'at least ' : ''}${more} more${isCut ? ` (errors has the first ${MOST_ERRORS})` : ''}`
  }
}
