import { urlSegment } from '../../core/kernel/json/url-segment.ts'
import { isObject } from '../../core/kernel/json/values.ts'

/** The value of a field that holds a file. */
export interface FileValue {
  readonly url: string
  readonly name: string
  readonly type: string
  readonly size: number
}

const NAME = String.raw`[\w.~!'()*%-]+`

/** Longer than any stored URL: 200 bytes of a name, encoded. */
const LONGEST = 2000

/** The beginning of what may be a URL in JSON, or all of it: the next character decides. */
const UNFINISHED = /.?"(?:\/[\w.~!'()*%/-]*"?)?$/s

/** The URLs of stored files, and texts that contain them. */
export class StoredUrls {
  readonly #path: string
  readonly #whole: RegExp
  readonly #before: RegExp
  readonly #inJson: RegExp
  readonly #anywhere: RegExp

  /** @param path of the setting: `/uploads` */
  constructor(path: string) {
    const plain = path.replace(/[.-]/g, '\\$&')
    const url = `${plain}/[0-9a-f]{32}/${NAME}`
    this.#path = path
    this.#whole = new RegExp(`^${url}$`)
    this.#before = new RegExp(
      String.raw`(^|[,"])(?:https?://[^\s/?#",]+)?(?:/[^\s?#",/]+)*?(${url})(?=$|[,"])`,
      'g',
    )
    // An opening quote comes after no backslash, and a string in front of a colon is a key.
    this.#inJson = new RegExp(`(?<!\\\\)"(${url})"(?!:)`, 'g')
    this.#anywhere = new RegExp(`${plain}/([0-9a-f]{32})/`, 'g')
  }

  urlOf(hash: string, name: string): string {
    return `${this.#path}/${hash}/${urlSegment(name)}`
  }

  isStored(value: unknown): value is string {
    return typeof value === 'string' && this.#whole.test(value)
  }

  isFile(value: unknown): boolean {
    return this.isStored(isObject(value) ? value.url : value)
  }

  /** Whether a text may contain one: a quick check. */
  isIn(text: string): boolean {
    return text.includes(`${this.#path}/`)
  }

  /** A value of a body or query, with what stands before stored URLs dropped. Itself if there is none. */
  fromClient(value: unknown, isQuery = false): unknown {
    if (typeof value === 'string') {
      if (!this.isIn(value)) return value
      const stored = value.replace(this.#before, '$1$2')
      return isQuery || this.isStored(stored) ? stored : value
    }
    if (typeof value !== 'object' || value === null) return value
    const before = Object.entries(value)
    const after = before.map(([key, one]) => [key, this.fromClient(one, isQuery)] as const)
    if (after.every(([, one], at) => one === before[at]?.[1])) return value
    return Array.isArray(value) ? after.map(([, one]) => one) : Object.fromEntries(after)
  }

  /** JSON with the root in front of each stored URL. */
  toClient(json: string, root: string): string {
    return this.isIn(json) ? json.replace(this.#inJson, (_, url: string) => `"${root}${url}"`) : json
  }

  /** The same for JSON in pieces, which may end within a URL. */
  *piecesToClient(pieces: Iterable<Uint8Array>, root: string): Generator<Uint8Array, void> {
    let rest = ''
    // Bytes as characters: URLs are ASCII, and a piece may end within another character.
    for (const piece of pieces) {
      const text = rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
      const start = Math.max(0, text.length - LONGEST)
      // At least one character: a backslash in front of a quote must stay with it.
      const end = start + (UNFINISHED.exec(text.slice(start))?.index ?? Math.max(0, text.length - start - 1))
      rest = text.slice(end)
      if (end > 0) yield Buffer.from(this.toClient(text.slice(0, end), root), 'latin1')
    }
    if (rest !== '') yield Buffer.from(this.toClient(rest, root), 'latin1')
  }

  /** Adds the hashes of all URLs in a value, also of those in longer texts. */
  collect(value: unknown, into: Set<string>): void {
    const text = JSON.stringify(value)
    if (text === undefined || !this.isIn(text)) return
    for (const [, hash = ''] of text.matchAll(this.#anywhere)) into.add(hash)
  }
}

/** `?` to `*` are characters that Windows forbids in names; the others are invisible, or turn what follows them round. */
const UNUSABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<>:"|?*\\/]/gu

const LONGEST_NAME = 200

/** A name from a client, without folders, and without what some system or reader would take for something else. */
export function cleanName(sent: string): string {
  const base = sent.split(/[\\/]/).at(-1) ?? ''
  let name = base.replace(UNUSABLE, '').normalize('NFC').trim()
  while (Buffer.byteLength(name) > LONGEST_NAME) name = [...name].slice(0, -1).join('')
  return name === '' || name === '.' || name === '..' ? 'file' : name
}
