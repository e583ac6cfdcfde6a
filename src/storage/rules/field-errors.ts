import { StorageError, type StorageErrorCode } from '../../errors.ts'
import type { FieldFault } from '../resource-rules.ts'

/** Nobody reads more of them. */
const MOST_ERRORS = 100

/** Where a row stands in what the client sent, and what to call it. */
export interface Label {
  /** Before the names of its fields: `1.` for the second row of a list. */
  readonly prefix: string
  /** For rows that the client did not send, such as those that a filter found. */
  readonly name?: string | undefined
}

/** What is wrong with the fields of a change. */
export class FieldErrors {
  readonly #code: StorageErrorCode
  readonly #errors = new Map<string, string>()
  readonly #sentences: string[] = []

  constructor(code: StorageErrorCode) {
    this.#code = code
  }

  /** Throws if there are more than anybody would read. */
  add({ prefix, name }: Label, { path, message }: FieldFault): void {
    const key = path === '' ? prefix.replace(/\.$/, '') : `${prefix}${path}`
    if (this.#errors.has(key)) return
    this.#errors.set(key, message)
    const subject = key === '' ? 'The item' : key
    this.#sentences.push(name === undefined ? `${subject} ${message}` : `In ${name}, ${subject} ${message}`)
    if (this.#errors.size >= MOST_ERRORS) this.refuse()
  }

  /** Throws if anything is wrong. */
  refuse(): void {
    if (this.#errors.size === 0) return
    const named = this.#sentences.slice(0, MOST_NAMED).join('; ')
    const more = this.#sentences.length - MOST_NAMED
    const message = `${named}${more > 0 ? `; and ${more} more` : ''}. Nothing was changed.`
    throw new StorageError(this.#code, message, { errors: Object.fromEntries(this.#errors) })
  }
}

/** The message tells of this many; `errors` has them all. */
const MOST_NAMED = 3
