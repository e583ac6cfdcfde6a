import type { Row } from '../../core/engine/types.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { Random } from '../../core/kernel/util/random.ts'
import { growRow, learn } from '../../wings/making/grow-row.ts'
import type { RowKey } from '../../wings/making/keys.ts'
import type { Fakes, Maker, ValuePlace } from '../../wings/making/maker.ts'
import { valueMaker } from '../../wings/making/values.ts'
import { merged } from '../../wings/schemas/combined.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { typesOf } from './envelope.ts'
import { asMeant, MEANING, meantText } from './meanings.ts'
import { alternatives, type SchemaBook } from './schema-book.ts'

/** Down to this depth, objects have all their fields; below, those that they must have. */
const FULL_DEPTH = 2

/** Makes values by schemas whose references stay: a schema that contains itself ends where nothing more is required. */
export class Making {
  readonly #book: SchemaBook
  readonly #fakes: Fakes

  /** @param faker the generators of faker, where it is installed */
  constructor(book: SchemaBook, faker: Fakes | undefined) {
    this.#book = book
    this.#fakes = (place, values) => {
      const meant = meantText(place.schema[MEANING])
      const fake = meant && !meant.isKnown ? undefined : faker?.(place, values)
      return fake ?? meant?.make
    }
  }

  value(schema: JsonSchema, name: string, seed: string): unknown {
    const learning = {
      fakes: this.#fakes,
      keys: new Map(),
      left: new Set<string>(),
      valueMaker: this.#makerOf,
    }
    const place = { resource: '', name, path: name, depth: 1, schema, learning }
    return this.#makerOf([], place)(new Random(seed))
  }

  /** A function that makes rows with what is given of them. */
  async rows(
    resource: string,
    id: string,
    schema: JsonSchema,
    keys: ReadonlyMap<string, RowKey>,
    faultsOf: (row: Row) => readonly { readonly path: string }[],
  ): Promise<(random: Random, sent: Row) => Row> {
    const whole = this.#book.shallow(schema)
    const branches = alternatives(whole)
    if (branches.length > 0) {
      const { anyOf: _, oneOf: __, ...own } = whole
      const each = branches.map((branch) => merged({ ...own, allOf: [this.#book.shallow(branch)] }))
      const makers = await Promise.all(each.map((one) => this.rows(resource, id, one, keys, faultsOf)))
      return (random, sent) => random.pick(makers)(random, sent)
    }
    const profile = await learn({
      ...{ resource, rows: [], id, keys, fakes: this.#fakes, makerOf: this.#makerOf },
      schema: this.#pruned(whole, 0, resource, resource),
      faultsOf: (row) => faultsOf(row).filter(({ path }) => path !== id),
    })
    return (random, sent) => growRow(profile, random, sent)
  }

  readonly #makerOf = (values: readonly unknown[], place: ValuePlace): Maker => {
    let made: Maker | undefined
    return (random) => {
      made ??= valueMaker(values, { ...place, schema: this.#forMaking(place) })
      return made(random)
    }
  }

  /** The schema of a place as `valueMaker` reads it. */
  #forMaking({
    schema,
    name,
    resource,
    depth,
  }: Pick<ValuePlace, 'schema' | 'name' | 'resource' | 'depth'>): JsonSchema {
    const whole = this.#book.shallow(schema)
    if (depth > FULL_DEPTH && typesOf(whole).includes('null')) return { type: 'null' }
    const branches = alternatives(whole)
    const { anyOf: _, oneOf: __, ...own } = whole
    const one: JsonSchema =
      branches.length === 0
        ? own
        : {
            ...own,
            anyOf: branches.map((each) => this.#pruned(this.#book.shallow(each), depth, name, resource)),
          }
    return this.#pruned(one, depth, name, resource)
  }

  #pruned(schema: JsonSchema, depth: number, name: string, resource: string): JsonSchema {
    const { default: _, readOnly: __, ...own } = schema
    const kind = typesOf(own).find((type) => type !== 'null')
    if (own.properties) return withFields(own, depth)
    if (kind === 'array' && depth > FULL_DEPTH) return { ...own, maxItems: Number(own.minItems ?? 0) }
    const meant = asMeant(own, name, resource, kind)
    const { examples: ___, ...free } = meant
    const isKnown =
      meant[MEANING] !== undefined || kind === 'number' || kind === 'integer' || own.format !== undefined
    return isKnown || kind === 'object' || kind === 'array' ? free : meant
  }
}

/** An object with all fields that an answer has or, deep down, with those that it must have. */
function withFields(schema: JsonSchema, depth: number): JsonSchema {
  const { properties = {}, required = [], examples: _, ...own } = schema
  const names = Object.keys(properties).filter((name) => {
    const field = properties[name]
    return isObject(field) && field.writeOnly !== true && (depth < FULL_DEPTH || required.includes(name))
  })
  const fields = names.map((name) => {
    const { default: _, readOnly: __, ...field } = properties[name] ?? {}
    return [name, field]
  })
  return { ...own, properties: Object.fromEntries(fields), required: [...new Set([...required, ...names])] }
}
