import { parseFinite } from './finite.ts'
import { setField } from './record.ts'

/** An array or object assembled from pieces of its JSON text. What `JSON.parse` would reject is a SyntaxError here too. */
export class PiecedTogether {
  readonly value: unknown[] | Record<string, unknown>
  readonly #text: string
  /** How far its text has been read. */
  end: number
  /** Whether the last member read has no comma after it yet. */
  #isBehindMember = false
  #isEmpty = true
  isDone = false

  constructor(text: string, isList: boolean, start: number) {
    this.#text = text
    this.value = isList ? [] : {}
    this.end = start
  }

  passComma(at: number): void {
    if (!this.#isBehindMember) return
    if (!isBlank(this.#text.slice(this.end, at))) throw new SyntaxError()
    this.#isBehindMember = false
    this.end = at + 1
  }

  addMembers(comma: number): void {
    this.#read(comma)
    this.end = comma + 1
  }

  /** Adds a member that was itself assembled, and started at `start`. */
  addChild(start: number, child: PiecedTogether, end: number): void {
    const before = this.#text.slice(this.end, start)
    if (this.#isBehindMember) throw new SyntaxError()
    if (Array.isArray(this.value)) {
      if (!isBlank(before)) throw new SyntaxError()
      this.value.push(child.value)
    } else {
      const [name, ...others] = Object.keys(JSON.parse(`{${before}null}`))
      if (name === undefined || others.length > 0) throw new SyntaxError()
      setField(this.value, name, child.value)
    }
    this.end = end
    this.#isEmpty = false
    this.#isBehindMember = true
  }

  finish(at: number): void {
    const isBare = isBlank(this.#text.slice(this.end, at))
    if (!isBare && this.#isBehindMember) throw new SyntaxError()
    // A trailing comma.
    if (isBare && !this.#isBehindMember && !this.#isEmpty) throw new SyntaxError()
    if (!isBare) this.#read(at)
    this.end = at + 1
    this.isDone = true
  }

  #read(end: number): void {
    const piece = this.#text.slice(this.end, end)
    this.#isEmpty = false
    const { value } = this
    if (Array.isArray(value)) {
      const members = parseFinite(`[${piece}]`)
      if (!Array.isArray(members) || members.length === 0) throw new SyntaxError()
      for (const member of members) value.push(member)
    } else {
      const members = Object.entries(Object(parseFinite(`{${piece}}`)))
      if (members.length === 0) throw new SyntaxError()
      for (const [name, member] of members) setField(value, name, member)
    }
  }
}

export function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text)
}
