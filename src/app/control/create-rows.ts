import { ResponseError } from '../../catalogue/error-classes.ts'
import type { ServiceInfo } from '../../catalogue/service-info.ts'
import { urlSegment } from '../../json/url-segment.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { foreignKey } from '../../storage/relations/relations.ts'
import type { Row } from '../../storage/types.ts'
import type { Call } from './call.ts'
import { fillRow } from './fill-row.ts'

/** Rows that values are taken from. */
const MOST_SAMPLES = 100
/** Values that must differ may be taken, each time by another row. */
const ATTEMPTS = 20

/** Inserts rows by requests, with what is missing in them, and with their parents. Resolves with what is stored. */
export async function createRows(
  call: Call,
  resource: string,
  sent: readonly Row[],
): Promise<readonly Row[]> {
  return new RowMaker(call, await call('GET', '/__service')).create(resource, sent)
}

class RowMaker {
  readonly #call: Call
  readonly #id: string
  /** Collections by their foreign keys: `postId` → `posts`. */
  readonly #targets: ReadonlyMap<string, string>
  /** Children whose parents are being made: those of a circle have none. */
  readonly #making = new Set<string>()

  constructor(call: Call, service: ServiceInfo) {
    this.#call = call
    this.#id = service.id
    const collections = service.resources.filter(({ kind }) => kind === 'collection')
    this.#targets = new Map(collections.map(({ name }) => [foreignKey(name, service), name]))
  }

  async create(resource: string, sent: readonly Row[]): Promise<readonly Row[]> {
    const path = `/${urlSegment(resource)}`
    const schema = withoutId(await this.#call<JsonSchema>('GET', `/__schema${path}`), this.#id)
    const rows = await this.#rowsOf(path)
    const linked = await this.#withParents(resource, sent, schema, rows.length)
    for (let attempt = 1; ; attempt++) {
      const filled = linked.map((row, at) =>
        fillRow(row, schema, { rows, number: rows.length + at + attempt }),
      )
      try {
        const [only] = filled
        if (!only || filled.length > 1) return await this.#call('POST', path, filled)
        return [await this.#call('POST', path, only)]
      } catch (error) {
        const isTaken = error instanceof ResponseError && error.code === 'NOT_UNIQUE'
        if (!isTaken || attempt === ATTEMPTS) throw error
      }
    }
  }

  async #withParents(
    resource: string,
    sent: readonly Row[],
    { properties = {}, required = [] }: JsonSchema,
    count: number,
  ): Promise<readonly Row[]> {
    if (this.#making.has(resource)) return sent
    this.#making.add(resource)
    let linked = sent
    for (const field of new Set([...Object.keys(properties), ...sent.flatMap((row) => Object.keys(row))])) {
      const { 'x-references': parents = this.#targets.get(field), readOnly } = properties[field] ?? {}
      if (parents === undefined) continue
      const isFilled = required.includes(field) && readOnly !== true
      const linkedByField: Row[] = []
      for (const [at, row] of linked.entries()) {
        if (Object.hasOwn(row, field)) await this.#ensureParent(parents, row[field])
        const isOpen = isFilled && !Object.hasOwn(row, field)
        linkedByField.push(isOpen ? { ...row, [field]: await this.#someParent(parents, count + at) } : row)
      }
      linked = linkedByField
    }
    this.#making.delete(resource)
    return linked
  }

  async #ensureParent(parents: string, id: unknown): Promise<void> {
    if (typeof id !== 'string' && typeof id !== 'number') return
    try {
      await this.#call('GET', `/${urlSegment(parents)}/${urlSegment(String(id))}`)
    } catch (error) {
      if (!(error instanceof ResponseError) || error.status !== 404) throw error
      await this.create(parents, [{ [this.#id]: id }])
    }
  }

  async #someParent(parents: string, number: number): Promise<unknown> {
    const rows = await this.#rowsOf(`/${urlSegment(parents)}`)
    const [parent] = rows.length > 0 ? [rows[number % rows.length]] : await this.create(parents, [{}])
    return parent?.[this.#id]
  }

  #rowsOf(path: string): Promise<readonly Row[]> {
    return this.#call('GET', `${path}?_limit=${MOST_SAMPLES}`)
  }
}

/** The server makes the id. */
function withoutId(schema: JsonSchema, id: string): JsonSchema {
  return { ...schema, required: (schema.required ?? []).filter((name) => name !== id) }
}
