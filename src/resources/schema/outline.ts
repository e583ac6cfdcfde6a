import { isRow } from '../../storage/is-row.ts'

type Node = Readonly<Record<string, unknown>>

/**
 * What a schema says about one place in a row, with `$ref` and `allOf` followed. Computed on demand: a schema may contain
 * itself.
 */
export class Outline {
  readonly #root: Node
  readonly #nodes: readonly Node[]
  #fields: ReadonlyMap<string, Outline> | undefined
  #mayHoldFallbacks: boolean | undefined

  constructor(root: unknown, nodes: readonly unknown[] = [root]) {
    this.#root = isRow(root) ? root : {}
    this.#nodes = unfold(this.#root, nodes)
  }

  /** Whether only the server sets it. */
  get isReadOnly(): boolean {
    return this.#nodes.some(({ readOnly }) => readOnly === true)
  }

  /** The default, if there is one. */
  get fallback(): { readonly value: unknown } | undefined {
    const node = this.#nodes.find((each) => Object.hasOwn(each, 'default'))
    return node && { value: node.default }
  }

  /** Whether there may be a default below it. */
  get mayHoldFallbacks(): boolean {
    this.#mayHoldFallbacks ??= this.#looksForFallbacks(DEEPEST)
    return this.#mayHoldFallbacks
  }

  /** The types that are allowed; none if any is. */
  get types(): ReadonlySet<string> {
    return new Set(this.#nodes.flatMap((node) => typesOf(this.#root, node)))
  }

  get fields(): ReadonlyMap<string, Outline> {
    this.#fields ??= this.#findFields()
    return this.#fields
  }

  /** Names that the schema knows at this place. */
  get names(): ReadonlySet<string> {
    const required = this.#nodes.flatMap((node) => (Array.isArray(node.required) ? node.required : []))
    return new Set([...this.fields.keys(), ...required.map(String)])
  }

  get items(): Outline | undefined {
    const nodes = this.#nodes.flatMap(({ items }) => (isRow(items) ? [items] : []))
    return nodes.length > 0 ? new Outline(this.#root, nodes) : undefined
  }

  #looksForFallbacks(depth: number): boolean {
    if (depth === 0) return true
    const fields = [...this.fields.values()]
    if (fields.some(({ fallback }) => fallback)) return true
    const inner = [...fields, ...(this.items ? [this.items] : [])]
    return inner.some((outline) => outline.#looksForFallbacks(depth - 1))
  }

  #findFields(): ReadonlyMap<string, Outline> {
    const found = new Map<string, unknown[]>()
    for (const { properties } of this.#nodes) {
      for (const [name, inner] of isRow(properties) ? Object.entries(properties) : []) {
        found.set(name, [...(found.get(name) ?? []), inner])
      }
    }
    return new Map([...found].map(([name, nodes]) => [name, new Outline(this.#root, nodes)]))
  }
}

/** How far down defaults are looked for: a schema may contain itself. */
const DEEPEST = 5

/** The value that a pointer such as `#/$defs/money` leads to. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  const steps = pointer.replace(/^#\/?/, '').split('/')
  if (pointer === '#' || pointer === '#/') return root
  return steps.reduce<unknown>((here, step) => {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(here)) return here[Number(name)]
    return isRow(here) && Object.hasOwn(here, name) ? here[name] : undefined
  }, root)
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** The nodes and all that apply with them. */
function unfold(root: Node, nodes: readonly unknown[]): readonly Node[] {
  const found = new Set<Node>()
  const pending = [...nodes]
  for (let node = pending.shift(); node !== undefined; node = pending.shift()) {
    if (!isRow(node) || found.has(node)) continue
    found.add(node)
    if (typeof node.$ref === 'string' && node.$ref.startsWith('#'))
      pending.push(resolvePointer(root, node.$ref))
    if (Array.isArray(node.allOf)) pending.push(...node.allOf)
  }
  return [...found]
}

function typesOf(root: Node, { type, anyOf, oneOf, enum: values }: Node): readonly string[] {
  if (type !== undefined) return [type].flat().map(String)
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (branches.length > 0) {
    return branches.flatMap((branch) =>
      unfold(root, [branch]).flatMap((node) => [node.type ?? []].flat(2).map(String)),
    )
  }
  return Array.isArray(values) ? values.map((value) => (value === null ? 'null' : typeof value)) : []
}
