import type { SchemaDocument } from '../json/schema-document.ts'
import { isObject } from '../json/values.ts'

type Node = Readonly<Record<string, unknown>>

/** What a schema says about one place in a row. Computed on demand: a schema may contain itself. */
export class Outline {
  readonly #document: SchemaDocument
  readonly #nodes: readonly Node[]
  #fields: ReadonlyMap<string, Outline> | undefined
  #mayHoldFallbacks: boolean | undefined

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

  get mayHoldFallbacks(): boolean {
    this.#mayHoldFallbacks ??= this.#looksForFallbacks(DEEPEST)
    return this.#mayHoldFallbacks
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

  /** Those of them that the schema says more about than that they are required. */
  get listed(): ReadonlySet<string> {
    const nodes = unfold(this.#document, this.#nodes, BRANCHES)
    return new Set(nodes.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])))
  }

  get items(): Outline | undefined {
    const nodes = this.#nodes.flatMap(({ items }) => (isObject(items) ? [items] : []))
    return nodes.length > 0 ? new Outline(this.#document, nodes) : undefined
  }

  #looksForFallbacks(depth: number): boolean {
    if (depth === 0) return true
    const fields = [...this.fields.values()]
    if (fields.some(({ fallback }) => fallback)) return true
    const inner = [...fields, ...(this.items ? [this.items] : [])]
    return inner.some((outline) => outline.#looksForFallbacks(depth - 1))
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

/** How far down defaults are looked for: a schema may contain itself. */
const DEEPEST = 5

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
