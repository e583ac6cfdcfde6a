import type { ReferenceRule, ResourceRules, Rules } from '../resource-rules.ts'
import { anyCaseColumn, type KeyColumn, referenceColumn, uniqueColumn } from './columns.ts'

export interface UniqueFields {
  readonly fields: readonly string[]
  readonly column: KeyColumn
}

/** A field that points at rows of another resource. */
export interface Pointer extends ReferenceRule {
  readonly collection: string
  readonly field: string
  readonly column: KeyColumn
}

export interface Ruled extends Omit<ResourceRules, 'unique' | 'uniqueInAnyCase' | 'references'> {
  readonly names: ReadonlySet<string>
  readonly unique: readonly UniqueFields[]
  readonly pointers: readonly Pointer[]
}

/** Immutable; replaced as a whole. */
export class CompiledRules {
  readonly now: () => Date
  readonly #ruled = new Map<string, Ruled>()
  readonly #pointers: readonly Pointer[]

  constructor({ resources, now }: Rules) {
    this.now = now
    for (const [name, rules] of resources) this.#ruled.set(name, compile(name, rules))
    this.#pointers = [...this.#ruled.values()].flatMap(({ pointers }) => pointers)
  }

  of(resource: string): Ruled | undefined {
    return this.#ruled.get(resource)
  }

  pointersTo(collection: string): readonly Pointer[] {
    return this.#pointers.filter(({ resource }) => resource === collection)
  }
}

function compile(collection: string, given: ResourceRules): Ruled {
  const { unique = [], uniqueInAnyCase = [], references = {}, ...rules } = given
  const { fields = [], hidden = [], timestamps } = rules
  const stamps = timestamps ? [timestamps.created, timestamps.updated] : []
  const named = [...fields, ...Object.keys(references), ...unique.flat(), ...stamps]
  return {
    ...rules,
    names: new Set(named.filter((name) => !hidden.includes(name))),
    unique: [
      ...unique.map((fields) => ({ fields, column: uniqueColumn(fields) })),
      ...uniqueInAnyCase.map((field) => ({ fields: [field], column: anyCaseColumn(field) })),
    ],
    pointers: Object.entries(references).map(([field, rule]) => {
      return { ...rule, collection, field, column: referenceColumn(field) }
    }),
  }
}
