import { constants } from 'node:buffer'
import { JsonParser, type Members, UNBOUNDED } from '../../json/json-parser.ts'
import { type JsonFault, JsonSyntaxError, MOST_FOUND } from '../../json/json-scanner.ts'
import { storable } from '../../json/limits.ts'
import { setField } from '../../json/values.ts'
import { attempt } from '../../util/attempt.ts'
import type { Data } from '../types.ts'
import { checkParts, invalid, MAX_DEPTH, notUtf8, syntaxFault, tooDeep } from './load.ts'

/** `collection` begins one, whose `rows` follow. Of a repeated name the last one counts, as in `JSON.parse`. */
export type Part =
  | { readonly kind: 'collection'; readonly name: string }
  | { readonly kind: 'rows'; readonly rows: readonly unknown[] }
  | { readonly kind: 'value'; readonly name: string; readonly value: unknown }

/** Data from outside, whole or as a stream that can be read again from its start. */
export type Incoming = Data | AsyncIterable<Part>

const ROWS = 500

/** `$schema` is not data, even if it is a list. */
export function isCollection(name: string, value: unknown): value is readonly unknown[] {
  return name !== '$schema' && Array.isArray(value)
}

export async function* partsOf(incoming: Incoming): AsyncGenerator<Part, void> {
  if (isStream(incoming)) {
    yield* incoming
    return
  }
  for (const [name, value] of Object.entries(incoming)) {
    if (!isCollection(name, value)) {
      yield { kind: 'value', name, value }
      continue
    }
    yield { kind: 'collection', name }
    for (let start = 0; start < value.length; start += ROWS) {
      yield { kind: 'rows', rows: value.slice(start, start + ROWS) }
    }
  }
}

/** In the order of `JSON.parse`: integer-like names first. */
export function inOrder(names: Iterable<string>): readonly string[] {
  return Object.keys(Object.fromEntries(Array.from(names, (name) => [name, null])))
}

function isStream(incoming: Incoming): incoming is AsyncIterable<Part> {
  return Symbol.asyncIterator in incoming
}

/** With room for the brackets around a piece. */
const LONGEST = constants.MAX_STRING_LENGTH - 2

/**
 * The data, and the errors, of `parseData`, whatever the size of the file; some errors only at its end.
 *
 * @param resource what a list is, if it is all there is
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  resource?: string,
): AsyncIterable<Part> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const collector = new PartCollector()
  const openRoot = (isList: boolean): Members => {
    if (!isList) return collector
    const rows = resource === undefined ? undefined : collector.open(true, resource)
    return rows ? { ...rows, value: collector.value } : NO_DATA
  }
  const parser = new JsonParser(UNBOUNDED, openRoot)
  let fault: JsonFault | undefined
  const read = (text: string, isEnd: boolean): unknown => {
    try {
      if (parser.pending + text.length > LONGEST) throw tooLong(name)
      parser.push(text)
      return isEnd ? parser.end() : undefined
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      fault = error.fault
      return undefined
    }
  }
  for await (const chunk of chunks) {
    const text = decode(decoder, name, chunk)
    // The rest is still decoded: it may not be UTF-8.
    if (fault) fault = { ...fault, found: `${fault.found}${text}`.slice(0, MOST_FOUND) }
    else read(text, false)
    yield* collector.parts.splice(0)
  }
  const rest = decode(decoder, name)
  const root = fault ? undefined : read(rest, true)
  if (fault) throw syntaxFault(fault, name)
  yield* collector.parts.splice(0)
  const kinds = checkParts(root, name)
  for (const key of Object.keys(kinds)) if (collector.tooDeep.has(key)) throw tooDeep(key, name)
}

type Decoder = InstanceType<typeof TextDecoder>

function decode(decoder: Decoder, name: string, chunk?: Uint8Array): string {
  const text = attempt(() => decoder.decode(chunk, { stream: chunk !== undefined }))
  if (text === undefined) throw notUtf8(name)
  return text
}

function tooLong(name: string): Error {
  return invalid(`${name} has a value that is longer than any string can be. Split it into several rows.`)
}

const NO_DATA: Members = { value: [], add: () => {} }

/** Collects parsed parts. Of repeated names the last one counts, so errors are only thrown at the end. */
class PartCollector implements Members {
  readonly value: Record<string, unknown> = {}
  readonly parts: Part[] = []
  readonly tooDeep = new Set<string>()

  add(members: object): void {
    for (const [name, value] of Object.entries(members)) {
      if (isCollection(name, value)) this.open(true, name)?.add(value)
      else {
        this.#begin(name, standIn(value))
        this.parts.push({ kind: 'value', name, value: this.#checked(value, name, 1) })
      }
    }
  }

  open(isList: boolean, name: string): Members | undefined {
    if (!isList || !isCollection(name, [])) return undefined
    this.#begin(name, [])
    this.parts.push({ kind: 'collection', name })
    const add = (items: object): void => {
      const rows = Object.values(items).map((row) => this.#checked(row, name, 2))
      this.parts.push({ kind: 'rows', rows })
    }
    return { add }
  }

  #begin(name: string, kind: unknown): void {
    setField(this.value, name, kind)
    this.tooDeep.delete(name)
  }

  #checked(value: unknown, name: string, depth: number): unknown {
    const stored = storable(value, MAX_DEPTH - depth)
    if (stored === undefined) this.tooDeep.add(name)
    return stored ?? null
  }
}

function standIn(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}
