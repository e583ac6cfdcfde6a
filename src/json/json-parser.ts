import { Pace } from '../util/pace.ts'
import { JsonScanner } from './json-scanner.ts'
import { type JsonBounds, withFiniteNumbers } from './limits.ts'
import { setField } from './values.ts'

const { POSITIVE_INFINITY } = Number

export const UNBOUNDED: JsonBounds = {
  depth: POSITIVE_INFINITY,
  keys: POSITIVE_INFINITY,
  values: POSITIVE_INFINITY,
  indents: POSITIVE_INFINITY,
}

export class JsonBoundError extends Error {
  override readonly name = 'JsonBoundError'
  readonly bound: keyof JsonBounds

  constructor(bound: keyof JsonBounds) {
    super(`Too many ${bound}`)
    this.bound = bound
  }
}

export interface Members {
  /** All of them in the end; undefined if they are passed on. */
  readonly value?: unknown
  add(members: object): void
  /** For a member that is too long to parse at a time. @default its members are gathered */
  open?(isList: boolean, name: string): Members | undefined
}

interface Level {
  readonly isList: boolean
  readonly start: number
  comma: number
  commas: number
  /** Set if its members are parsed one after the other, up to `end`. */
  members?: Members | undefined
  name: string
  end: number
  /** Whether its last member was parsed, and the comma after it was not. */
  isBehindMember: boolean
}

/** Characters: even the worst take only a few milliseconds. */
const PIECE = 32 * 1024

/**
 * Parses JSON in chunks. Finds the ends of values and leaves them to `JSON.parse`, many at a time; members of arrays
 * and objects larger than a piece one after the other. Numbers that overflow are null. Throws a JsonSyntaxError or a
 * JsonBoundError.
 */
export class JsonParser {
  readonly #bounds: JsonBounds
  readonly #openRoot: (isList: boolean) => Members
  readonly #scanner = new JsonScanner({
    open: (at, isList) => this.#open(at, isList),
    close: (at) => this.#close(at),
    comma: (at) => this.#comma(at),
  })
  #text = ''
  #start = 0
  readonly #levels: Level[] = []
  /** Outer levels whose members are parsed one after the other. */
  #apart = 0
  #values = 0
  #indents = 0
  #root: Members | undefined

  constructor(bounds: JsonBounds, openRoot: (isList: boolean) => Members = gather) {
    this.#bounds = bounds
    this.#openRoot = openRoot
  }

  push(chunk: string): void {
    this.#text += chunk
    this.#scanner.push(chunk)
    this.#readMembers()
  }

  end(): unknown {
    this.#scanner.end()
    return this.#root === undefined ? this.#parse(this.#text) : this.#root.value
  }

  get pending(): number {
    return this.#text.length
  }

  #open(at: number, isList: boolean): void {
    const level = { isList, start: at, comma: at, commas: 0, name: '', end: at + 1, isBehindMember: false }
    this.#levels.push(level)
    if (this.#levels.length > this.#bounds.depth) throw new JsonBoundError('depth')
    this.#count()
    if (this.#root !== undefined) return
    this.#root = this.#openRoot(isList)
    this.#takeApart(level, this.#root)
  }

  #comma(at: number): void {
    const level = this.#levels[this.#levels.length - 1]
    if (level === undefined) return
    level.comma = at
    level.commas += 1
    if (!level.isList && level.commas >= this.#bounds.keys) throw new JsonBoundError('keys')
    this.#count()
    if (!level.isBehindMember) return
    level.isBehindMember = false
    level.end = at + 1
  }

  #close(at: number): void {
    const level = this.#levels.pop()
    if (!level?.members) return
    this.#readUpTo(level, level.members, at)
    this.#apart -= 1
    const around = this.#levels.at(-1)
    if (!around) return
    around.isBehindMember = true
    around.end = at + 1
    const { value } = level.members
    if (value !== undefined) around.members?.add(around.isList ? [value] : { [level.name]: value })
  }

  #count(): void {
    const { values, indents } = this.#bounds
    this.#values += 1
    this.#indents += this.#levels.length
    if (this.#values > values) throw new JsonBoundError('values')
    if (this.#indents > indents) throw new JsonBoundError('indents')
  }

  #readMembers(): void {
    for (;;) {
      const level = this.#levels[this.#apart - 1]
      if (!level?.members) return
      if (level.comma >= level.end) this.#readUpTo(level, level.members, level.comma)
      const inner = this.#levels[this.#apart]
      if (inner === undefined || this.#start + this.#text.length - level.end < PIECE) {
        this.#text = this.#text.slice(level.end - this.#start)
        this.#start = level.end
        return
      }
      if (!level.isList) inner.name = this.#nameBetween(level.end, inner.start)
      this.#takeApart(inner, level.members.open?.(inner.isList, inner.name) ?? gather(inner.isList))
    }
  }

  #takeApart(level: Level, members: Members): void {
    level.members = members
    this.#apart += 1
  }

  #readUpTo(level: Level, members: Members, end: number): void {
    const text = this.#slice(level.end, end)
    level.end = end + 1
    if (text.trim() !== '') members.add(Object(this.#parse(level.isList ? `[${text}]` : `{${text}}`)))
  }

  #nameBetween(start: number, end: number): string {
    return Object.keys(Object(JSON.parse(`{${this.#slice(start, end)}null}`))).join()
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start - this.#start, end - this.#start)
  }

  #parse(text: string): unknown {
    const value: unknown = JSON.parse(text)
    return this.#scanner.hasInfinity ? withFiniteNumbers(value) : value
  }
}

function gather(isList: boolean): Members {
  const value: unknown[] | object = isList ? [] : {}
  const add = (members: object): void => {
    if (Array.isArray(value)) for (const member of members as unknown[]) value.push(member)
    else for (const [name, member] of Object.entries(members)) setField(value, name, member)
  }
  return { value, add }
}

/** `JSON.parse` with pauses. Rejects as a JsonParser throws. */
export async function parseInPieces(text: string, bounds: JsonBounds): Promise<unknown> {
  const parser = new JsonParser(bounds)
  const pace = new Pace()
  for (let at = 0; at < text.length; at += PIECE) {
    parser.push(text.slice(at, at + PIECE))
    if (pace.isDue) await pace.turn()
  }
  return parser.end()
}
