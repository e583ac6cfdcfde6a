import { StorageError } from '../catalogue/error-classes.ts'
import { BOUNDS, MAX_BYTES, MAX_DEPTH, MAX_KEYS } from './bounds.ts'
import { bytesOfScalar, bytesOfText } from './json-size.ts'
import { isRecord } from './record.ts'

/** Refuses what a patch produced if it could not have been sent as a body. Looks no further than that takes. */
export function checkSize(value: unknown): void {
  new Tally().take(value, 1)
}

export function tooLarge(message: string): StorageError {
  return new StorageError('BODY_TOO_LARGE', message)
}

class Tally {
  #bytes = 0
  #values = 0
  #indents = 0

  take(value: unknown, depth: number): void {
    this.#values += 1
    this.#indents += depth
    this.#bytes += bytesOfScalar(value)
    if (this.#bytes > MAX_BYTES) refuse('be larger than 10 MB')
    if (this.#values > BOUNDS.values) refuse(`have more than ${count(BOUNDS.values)} values`)
    if (this.#indents > BOUNDS.indents) refuse('have too many values on deep levels')
    if (Array.isArray(value)) this.#takeList(value, depth)
    else if (isRecord(value)) this.#takeFields(value, depth)
  }

  #takeList(list: readonly unknown[], depth: number): void {
    checkDepth(depth)
    for (let at = 0; at < list.length; at++) this.take(list[at], depth + 1)
  }

  #takeFields(fields: Readonly<Record<string, unknown>>, depth: number): void {
    checkDepth(depth)
    let keys = 0
    for (const name in fields) {
      keys += 1
      if (keys > MAX_KEYS) refuse(`have an object of more than ${count(MAX_KEYS)} keys`)
      this.#bytes += bytesOfText(name) + 4
      this.take(fields[name], depth + 1)
    }
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) refuse(`be nested deeper than ${MAX_DEPTH} levels`)
}

function refuse(what: string): never {
  throw tooLarge(`After the patch the item would ${what}; store less in one item.`)
}

function count(number: number): string {
  return number.toLocaleString('en')
}
