import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pluralize from 'pluralize'
import { ConfigError } from '../../../core/kernel/catalogue/error-classes.ts'
import { checkSize } from '../../../core/kernel/json/limits.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { attempt } from '../../../core/kernel/util/attempt.ts'
import { maskJson, maskUrl } from '../../../core/layers/parts/mask-secrets.ts'
import { makePrivateFolder } from '../../../stores/file/stored-logins.ts'
import type { Config } from '../../settings.ts'
import { isIdPart } from '../place.ts'
import { idNames } from './find-rows.ts'

const KEY_FILE = 'proxy-key'

/** Takes secrets out of what is kept, and puts made-up values in place of those that are named. */
export class Cleaner {
  readonly names: readonly string[]
  readonly #fields: ReadonlySet<string>
  readonly #key: Buffer

  private constructor(names: readonly string[], key: Buffer) {
    this.names = names
    this.#fields = new Set(names.map((name) => name.toLowerCase()))
    this.#key = key
  }

  /** @param file the recording, beside which the key lies: without it, values become others at each start */
  static of(names: readonly string[], file: string | undefined): Cleaner {
    const path = file && join(dirname(file), '.restable', KEY_FILE)
    const key = path && names.length > 0 ? attempt(() => readFileSync(path)) : undefined
    return new Cleaner(names, key ?? randomBytes(32))
  }

  /** Saves the key, if there is none yet. */
  async save(file: string): Promise<void> {
    if (this.names.length === 0) return
    const folder = join(dirname(file), '.restable')
    await makePrivateFolder(folder)
    const handle = await open(join(folder, KEY_FILE), 'wx', 0o600).catch(() => undefined)
    await handle?.writeFile(this.#key)
    await handle?.close()
  }

  /** Path and query. */
  url(url: string): string {
    const masked = maskUrl(url)
    const mark = masked.indexOf('?')
    if (this.names.length === 0 || mark === -1) return masked
    const owner = collectionIn(masked)
    const parts = masked
      .slice(mark + 1)
      .split('&')
      .map((part) => {
        const [name = '', ...rest] = part.split('=')
        const value = attempt(() => decodeURIComponent(rest.join('=').replaceAll('+', ' '))) ?? ''
        const [field = name] = name.split(
          /[_:](?:eq|ne|in|nin|contains|startsWith|endsWith|like|gte?|lte?)$|\[/,
        )
        return this.#isNamed(field, owner) ? `${name}=${encodeURIComponent(this.#other(value))}` : part
      })
    return `${masked.slice(0, mark)}?${parts.join('&')}`
  }

  /** A JSON value; undefined if it is none, or over the limits of a request. */
  json(text: string, url: string): unknown {
    return attempt(() => {
      const value: unknown = JSON.parse(maskJson(text)?.text ?? '')
      checkSize(value)
      return this.names.length === 0 ? value : this.#inside(value, collectionIn(url))
    })
  }

  #inside(value: unknown, owner: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#inside(one, owner))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        if (this.#isNamed(name, owner)) return [name, this.#leaves(inner)]
        // What wraps rows is named otherwise; what is in them may be rows of another resource.
        const isNamed = this.names.some((field) => field.startsWith(`${pluralize(name)}.`))
        return [name, this.#inside(inner, isNamed ? pluralize(name) : owner)]
      }),
    )
  }

  #isNamed(field: string, owner: string): boolean {
    const name = field.toLowerCase()
    return this.#fields.has(name) || this.#fields.has(`${owner}.${name}`.toLowerCase())
  }

  #leaves(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#leaves(one))
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#leaves(inner)]))
    if (typeof value === 'string') return this.#other(value)
    if (typeof value === 'number') return Number(this.#other(String(value)))
    return typeof value === 'boolean' ? this.#bytes(String(value)).readUInt8() % 2 === 0 : value
  }

  /** Another text of the same form: letters for letters, digits for digits; an address that reaches nobody. */
  #other(text: string): string {
    if (text === '' || text === '***') return text
    const bytes = this.#bytes(text)
    if (/^[^\s@]+@[^\s@]+$/.test(text)) return `user-${bytes.toString('hex', 0, 6)}@example.com`
    const [, date, time = ''] = /^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(text) ?? []
    if (date !== undefined) {
      const day = new Date(Date.UTC(1950, 0, 1 + (bytes.readUInt32BE() % 25_000)))
      return day.toISOString().slice(0, 10) + time
    }
    let at = 0
    const pick = (from: string) => {
      if (at % 32 === 0 && at > 0) bytes.set(this.#bytes(`${text}\n${at}`))
      return from.charAt(bytes.readUInt8(at++ % 32) % from.length)
    }
    const scheme = /^(?:https?:\/\/|-)/.exec(text)?.[0] ?? ''
    return (
      scheme +
      text.slice(scheme.length).replace(/[a-z]|[A-Z]|\d|[^\0-\x7f]/g, (char, place: number) => {
        if (/\d/.test(char)) return place > 0 ? pick('0123456789') : char === '0' ? char : pick('123456789')
        const letter = pick('abcdefghijklmnopqrstuvwxyz')
        return /[A-Z]/.test(char) ? letter.toUpperCase() : letter
      })
    )
  }

  #bytes(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }
}

/** Refuses to redact what tells rows apart, or joins them. */
export function checkRedacted({ proxy, id, foreignKeySuffix: suffix, resources = {} }: Config): void {
  for (const name of proxy?.redact ?? []) {
    const [owner = '', ...path] = name.split('.')
    const field = path.at(-1) ?? owner
    const { references = {} } = (path.length > 0 ? resources[owner] : undefined) ?? {}
    const isKey = field.endsWith(suffix) && field !== suffix
    const isId = field === id || idNames(owner).includes(field)
    if (isId || isKey || Object.hasOwn(references, field))
      throw new ConfigError(
        `"proxy.redact": ${name} is an id or a reference, which rows are found by. Leave it out.`,
      )
  }
}

function collectionIn(url: string): string {
  const parts = url.replace(/\?.*/s, '').split('/')
  return parts.findLast((part) => part !== '' && !isIdPart(part)) ?? ''
}
