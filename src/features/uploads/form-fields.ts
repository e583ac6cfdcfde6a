import type { Row } from '../../core/engine/types.ts'
import { MAX_DEPTH } from '../../core/kernel/json/limits.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { RequestError } from '../../core/router/request-error.ts'
import type { FileValue } from './stored-url.ts'

export type FormPart = { readonly name: string } & (
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'file'; readonly value: FileValue }
  /** A file input without a file. */
  | { readonly kind: 'nothing' }
)

/** The resource whose fields a form sets. */
export interface FormTarget {
  /** The row or object before, or nothing. */
  readonly row: Row | undefined
  /** Whether a field without a file keeps its value only if it is sent again. */
  readonly isWhole: boolean
  /** Whether rows or the schema have a field `data`. */
  readonly hasData: boolean
  /** The types of a field by the schema. */
  typesOf(path: readonly string[]): { readonly own: readonly string[]; readonly items: readonly string[] }
  isFile(value: unknown): boolean
}

export interface FormFields {
  readonly fields: Row
  /** Names of fields that are text because they come in a form. */
  readonly texts: readonly string[]
}

/** The fields of a form. */
export function fieldsOf(parts: readonly FormPart[], target: FormTarget): FormFields {
  const whole = target.hasData ? undefined : wholeIn(parts)
  const prefix = whole ? /^files\./ : /^$/
  const groups = new Map<string, Group>()
  for (const [at, part] of parts.entries()) {
    if (whole && part.name === 'data') continue
    const path = pathOf(part.name.replace(prefix, ''))
    const isList = path.length > 1 && path.at(-1) === ''
    const own = (isList ? path.slice(0, -1) : path).map((step) => (step === '' ? `${at}` : step))
    const key = JSON.stringify(own)
    const group = groups.get(key) ?? { path: own, isList, parts: [] }
    if (!groups.has(key)) groups.set(key, group)
    group.isList ||= isList
    group.parts.push(part)
  }
  const fields: Row = {}
  const texts = new Set<string>()
  for (const group of groups.values()) {
    const value = valueFor(group, target)
    if (value === undefined) continue
    put(fields, group.path, value)
    if (group.parts.some(({ kind }) => kind === 'text')) texts.add(group.path[0] ?? '')
  }
  return { fields: { ...whole, ...withLists(fields) }, texts: [...texts] }
}

interface Group {
  readonly path: readonly string[]
  isList: boolean
  readonly parts: FormPart[]
}

/** Strapi's way: one part has all fields. */
function wholeIn(parts: readonly FormPart[]): Row | undefined {
  const [only, ...more] = parts.filter(({ name }) => name === 'data')
  if (only === undefined || more.length > 0) return undefined
  if (only.kind === 'json') return isObject(only.value) ? only.value : undefined
  if (only.kind !== 'text' || !/^\s*\{/.test(only.value)) return undefined
  try {
    const value: unknown = JSON.parse(only.value)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** `a[b][]` is `['a', 'b', '']`. */
function pathOf(name: string): readonly string[] {
  const [, first = name, rest = ''] = /^([^[]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
  if (path.includes('__proto__')) throw invalid('A part of the form has the name __proto__.')
  if (path.length > MAX_DEPTH) throw invalid(`A part of the form is nested deeper than ${MAX_DEPTH} levels.`)
  return path
}

function invalid(message: string): RequestError {
  return new RequestError('INVALID_BODY', `${message} Nothing was changed.`)
}

/** Undefined leaves the field out. */
function valueFor({ path, isList, parts }: Group, { row, isWhole, typesOf, isFile }: FormTarget): unknown {
  const before = valueAt(row, path)
  const sent = parts.filter((part) => part.kind !== 'nothing')
  const [first] = sent
  if (first === undefined) return isWhole ? before : undefined
  const hasFiles = sent.some(({ kind }) => kind === 'file')
  const { own, items } = hasFiles ? typesOf(path) : { own: [], items: [] }
  const isSeveral =
    isList || parts.length > 1 || (hasFiles && (own.includes('array') || Array.isArray(before)))
  const isText = (isSeveral ? items : own).includes('string')
  const values = sent.map((part) => (part.kind === 'file' && isText ? part.value.url : part.value))
  if (isSeveral) return values
  const [value] = values
  if (first.kind !== 'file' && (value === '' || value === null)) {
    if (Array.isArray(before) && before.some(isFile)) return []
    if (isFile(before)) return null
  }
  return value
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

function put(fields: Row, path: readonly string[], value: unknown): void {
  let inner = fields
  for (const step of path.slice(0, -1)) {
    const next = inner[step]
    const object = isObject(next) && nested.has(next) ? next : {}
    nested.add(object)
    inner[step] = object
    inner = object
  }
  inner[path.at(-1) ?? ''] = value
}

/** Objects made of steps in names. */
const nested = new WeakSet<object>()

/** `a[0]` and `a[1]` are a list. */
function withLists(value: Row): Row {
  for (const [name, inner] of Object.entries(value)) {
    if (!isObject(inner) || !nested.has(inner)) continue
    const entries = Object.entries(withLists(inner))
    const isList = entries.length > 0 && entries.every(([key]) => /^(?:0|[1-9]\d{0,8})$/.test(key))
    value[name] = isList ? entries.map(([, item]) => item) : inner
  }
  return value
}
