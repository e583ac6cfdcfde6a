import type { StringSourcedFields } from '../../core/engine/resource-rules.ts'
import type { Row } from '../../core/engine/types.ts'
import type { SchemaDocument } from '../../core/kernel/json/schema-document.ts'
import { isObject, setField } from '../../core/kernel/json/values.ts'

type Node = Readonly<Record<string, unknown>>

/** The parts of a schema that apply at one path of a row. Computed on demand: a schema may contain itself. */
export class Outline {
  readonly #document: SchemaDocument
  readonly #nodes: readonly Node[]
  #fields: ReadonlyMap<string, Outline> | undefined

  constructor(document: SchemaDocument, nodes: readonly unknown[] = [document.root]) {
    this.#document = document
    this.#nodes = unfold(document, nodes)
  }

  get isReadOnly(): boolean {
    return this.#nodes.some(({ readOnly }) => readOnly === true)
  }

  get fallback(): { readonly value: unknown } | undefined {
    const node = this.#nodes.find((each) => Object.hasOwn(each, 'default'))
    return node && { value: node.default }
  }

  get types(): ReadonlySet<string> {
    return new Set(this.#nodes.flatMap((node) => typesOf(this.#document, node)))
  }

  get fields(): ReadonlyMap<string, Outline> {
    this.#fields ??= this.#findFields()
    return this.#fields
  }

  /** Names that the schema knows at this place, in any of its alternatives. */
  get names(): ReadonlySet<string> {
    const nodes = unfold(this.#document, this.#nodes, BRANCHES)
    const required = nodes.flatMap((node) => (Array.isArray(node.required) ? node.required : []))
    return new Set([...this.listed, ...required.map(String)])
  }

  /** Fields that the schema says more about than that they are required. */
  get listed(): ReadonlySet<string> {
    const nodes = unfold(this.#document, this.#nodes, BRANCHES)
    return new Set(nodes.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])))
  }

  get items(): Outline | undefined {
    const nodes = this.#nodes.flatMap(({ items }) => (isObject(items) ? [items] : []))
    return nodes.length > 0 ? new Outline(this.#document, nodes) : undefined
  }

  #findFields(): ReadonlyMap<string, Outline> {
    const byName = new Map<string, unknown[]>()
    for (const { properties } of this.#nodes) {
      for (const [name, inner] of isObject(properties) ? Object.entries(properties) : []) {
        byName.set(name, [...(byName.get(name) ?? []), inner])
      }
    }
    return new Map([...byName].map(([name, nodes]) => [name, new Outline(this.#document, nodes)]))
  }
}

/** The row with the defaults of missing fields, also in nested objects and lists, and in what a default made. */
export function fillIn(row: Row, outline: Outline, within: readonly unknown[] = []): Row {
  const filled = { ...row }
  for (const [name, inner] of outline.fields) {
    const { fallback } = inner
    if (Object.hasOwn(row, name)) setField(filled, name, fillValue(row[name], inner, within))
    else if (fallback) setField(filled, name, fallbackOf(fallback.value, inner, within))
  }
  return filled
}

/** The row with the server's fields as they were, or left out. Not in lists, whose entries may have moved. */
export function keepReadOnly(row: Row, old: Row | undefined, outline: Outline): Row {
  const result = { ...row }
  for (const [name, inner] of outline.fields) {
    const before = old && Object.hasOwn(old, name) ? { value: old[name] } : undefined
    if (!inner.isReadOnly) {
      const value = Object.hasOwn(result, name) ? result[name] : undefined
      if (isObject(value))
        setField(result, name, keepReadOnly(value, isObject(before?.value) ? before.value : undefined, inner))
    } else if (before) setField(result, name, before.value)
    else delete result[name]
  }
  return result
}

/** Reads the texts of a path or a form as what the schema asks for. What cannot be read stays, and fails the check. */
export function readTexts(fields: Row, which: StringSourcedFields, outline: Outline): Row {
  const read = { ...fields }
  for (const name of which === 'all' ? Object.keys(fields) : which) {
    const inner = outline.fields.get(name)
    if (inner && Object.hasOwn(fields, name)) setField(read, name, readValue(fields[name], inner))
  }
  return read
}

/** Keywords whose schemas apply to the same place, but not always. */
const BRANCHES = ['anyOf', 'oneOf', 'if', 'then', 'else']

/** The nodes and all that apply with them, by references, `allOf` and these branches. */
function unfold(
  document: SchemaDocument,
  nodes: readonly unknown[],
  branches: readonly string[] = [],
): readonly Node[] {
  const unfolded = new Set<Node>()
  const pending = [...nodes]
  while (pending.length > 0) {
    const node = pending.shift()
    if (!isObject(node) || unfolded.has(node)) continue
    unfolded.add(node)
    pending.push(...document.targetsOf(node))
    for (const keyword of ['allOf', ...branches]) pending.push(...[node[keyword]].flat())
  }
  return [...unfolded]
}

function typesOf(document: SchemaDocument, { type, anyOf, oneOf, enum: values }: Node): readonly string[] {
  if (type !== undefined) return [type].flat().map(String)
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (branches.length > 0) {
    return branches.flatMap((branch) =>
      unfold(document, [branch]).flatMap((node) => [node.type ?? []].flat(2).map(String)),
    )
  }
  return Array.isArray(values) ? values.map((value) => (value === null ? 'null' : typeof value)) : []
}

/** A schema may contain itself: a default inside of the same one stays as written. */
function fallbackOf(value: unknown, outline: Outline, within: readonly unknown[]): unknown {
  const copy = structuredClone(value)
  return within.includes(value) ? copy : fillValue(copy, outline, [...within, value])
}

function fillValue(value: unknown, outline: Outline, within: readonly unknown[]): unknown {
  if (isObject(value)) return fillIn(value, outline, within)
  const { items } = outline
  return Array.isArray(value) && items ? value.map((entry) => fillValue(entry, items, within)) : value
}

function readValue(value: unknown, outline: Outline): unknown {
  if (typeof value === 'string') return readText(value, outline)
  // The id in a path, which is read as a number where rows have numbers.
  const { items, types } = outline
  const isText = types.has('string') && !types.has('number') && !types.has('integer')
  if (typeof value === 'number') return isText ? String(value) : value
  if (Array.isArray(value)) return items ? value.map((entry) => readValue(entry, items)) : value
  return isObject(value) ? readTexts(value, 'all', outline) : value
}

function readText(text: string, outline: Outline): unknown {
  const { types, items } = outline
  if (types.size === 0 || types.has('string')) return text
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text))
  if (isNumber && (types.has('number') || types.has('integer'))) return Number(text)
  if (types.has('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  if (types.has('null') && text === '') return null
  // A form cannot tell a list of one from a value.
  return types.has('array') ? [items ? readValue(text, items) : text] : text
}
