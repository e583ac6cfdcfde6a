import type { Data } from '../../core/engine/types.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { loadFakes } from '../../wings/making/fakes.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import type { ShapeSetting } from '../../wings/shapes/shape-settings.ts'
import { checkSchema } from '../../wings/validation/check-schema.ts'
import { fieldFaults } from '../../wings/validation/field-faults.ts'
import { loadAjv, metaAjv } from '../../wings/validation/load-ajv.ts'
import { parseSettings, type Settings } from '../settings.ts'
import { ApiDocument, type DocumentNode } from './api-document.ts'
import { shapeOf } from './envelope.ts'
import { written } from './examples.ts'
import { findResources, type Resource } from './find-resources.ts'
import { type Judge, makeRows, type RowsOf } from './make-rows.ts'
import { Making } from './making.ts'
import { type Operation, operationsOf } from './operations.ts'
import { pathFilter, pathsOf } from './paths.ts'
import { type FoundReference, findReferences } from './references.ts'
import { type ImportedResource, type ImportReport, referencesIn, type Unused } from './report.ts'
import { type PathRules, type Rewritten, rewritePaths } from './rewrite-paths.ts'
import { type ImportedSchema, rowSchemaOf } from './row-schema.ts'
import { SchemaBook } from './schema-book.ts'
import { otherParts, whyLost } from './unused-parts.ts'

const MOST_OPERATIONS = 5000
const MOST_ROWS = 100_000

export interface DescribeDataOptions {
  /** The paths to import, with stars: `/api/**`. @default all */
  readonly only?: string | undefined
  /** The number of rows of each collection. @default 10 */
  readonly rows?: number | undefined
  /** The same seed makes the same rows. @default 1 */
  readonly seed?: number | undefined
}

export interface DescribedData {
  readonly data: Data
  /** Settings for what the data cannot say, as in a config file. */
  readonly settings: Settings
  readonly rules: PathRules
  readonly report: ImportReport
}

/** Data, settings and rewrite rules for what a description says. */
export async function describeData(
  root: DocumentNode,
  file: string,
  { only, rows: count = 10, seed = 1 }: DescribeDataOptions,
): Promise<DescribedData> {
  const document = new ApiDocument(root, file)
  const book = new SchemaBook(document)
  const operations = pickedOf(operationsOf(document), file, only)
  const why = new Map<Operation, string>(whyLost(operations, book))
  const sound = operations.filter((operation) => !why.has(operation))
  const found = findResources(pathsOf(sound), book, (operation, reason) => why.set(operation, reason))
  const { resources, rewritten } = reachable(found, root, why)
  if (resources.length * count > MOST_ROWS)
    throw new ConfigError(
      `${file}: that would be more than ${MOST_ROWS} rows. Lower --rows, or pick paths with --only.`,
    )
  const { suffix, references } = findReferences(resources, book, rewritten.parents)
  const making = new Making(book, await loadFakes())
  const checks = new SchemaChecks(book)
  const planned = resources.map((resource) => {
    const own = references.get(resource.name) ?? []
    const made = (schema: JsonSchema, name: string) =>
      written(book, schema)[0] ?? making.value(schema, name, `${seed} ${resource.name} ${name}`)
    const schemas = rowSchemaOf(resource, own, book, made)
    const judge = checks.judge({ ...schemas.row, required: [...(schemas.row.required ?? [])] })
    return { resource, references: own, row: schemas.row, schemas, judge }
  })
  const rows = await makeRows(planned, book, making, { count, seed })
  const shapes = planned.map(({ resource: { list, item, isJsonApi } }) =>
    shapeOf(book, list, item, isJsonApi),
  )
  const [shape] = shapes
  const isSameShape = shapes.every((each) => JSON.stringify(each) === JSON.stringify(shape))
  const data: Data = {}
  const settings: Record<string, Readonly<Record<string, unknown>>> = {}
  const reported: Record<string, ImportedResource> = {}
  const unused: Unused[] = []
  const common = commonId(resources)
  planned.forEach(({ resource, references: own, schemas }, at) => {
    const { name, kind, id } = resource
    const made = rows.get(name)
    const schema = checks.usable(schemas.schema)
    if (!schema) unused.push({ place: `resources.${name}.schema`, why: 'it is not valid JSON Schema' })
    data[name] = kind === 'collection' ? (made?.rows ?? []) : (made?.rows[0] ?? {})
    settings[name] = {
      ...(schema && { schema }),
      ...(id !== common && kind === 'collection' && { id }),
      ...idsIn(schemas),
      ...differingIn(own),
      ...(!isSameShape && shapes[at] !== undefined && { shape: shapes[at] }),
    }
    reported[name] = reportOf(made, own, schema !== undefined, shapes[at])
    if (made?.fault !== undefined) unused.push({ place: name, why: `no rows: ${made.fault}` })
    if (made && made.dangling > 0)
      unused.push({ place: name, why: `${made.dangling} keys in examples point nowhere` })
  })
  const used = new Set(resources.flatMap((each) => each.operations))
  const left = operations.filter((operation) => !used.has(operation))
  const reasons = left.map((each) => ({ place: each.place, why: why.get(each) ?? each.fault ?? NO_ROWS }))
  return {
    data,
    settings: parseSettings({
      ...(common !== 'id' && { id: common }),
      ...(suffix !== 'Id' && { foreignKeySuffix: suffix }),
      ...(isSameShape && shape !== undefined && { shape }),
      resources: settings,
    }),
    rules: rewritten.rules,
    report: {
      resources: reported,
      kept: 0,
      operations: { all: operations.length, used: used.size, unused: left.length },
      unused: [...reasons, ...unused, ...otherParts(document, book)],
    },
  }
}

const NO_ROWS = 'it is about no rows, and answers are not kept whole'

function pickedOf(all: readonly Operation[], file: string, only: string | undefined): readonly Operation[] {
  if (all.length === 0) throw new ConfigError(`${file}: it describes no operations. Add "paths".`)
  const isPicked = only === undefined ? () => true : pathFilter(only)
  const operations = all.filter(({ path }) => isPicked(path))
  if (operations.length === 0)
    throw new ConfigError(`${file}: --only ${only} picks no path. Its first is ${all[0]?.path}.`)
  if (operations.length <= MOST_OPERATIONS) return operations
  throw new ConfigError(
    `${file}: it has more than ${MOST_OPERATIONS} operations. Pick some with --only "/api/**".`,
  )
}

/** The name that most collections have for their ids. */
function commonId(resources: readonly Resource[]): string {
  const counts = new Map<string, number>()
  for (const { kind, id } of resources) if (kind === 'collection') counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'id'
}

/** The resources that rules lead to. */
function reachable(all: readonly Resource[], root: DocumentNode, why: Map<Operation, string>) {
  let resources = all
  let rewritten: Rewritten = rewritePaths(resources, root)
  while (rewritten.lost.length > 0) {
    const lost = new Set(rewritten.lost.map(([resource]) => resource))
    for (const { operations } of lost)
      for (const each of operations) why.set(each, 'its path cannot be told from another')
    resources = resources.filter((each) => !lost.has(each))
    rewritten = rewritePaths(resources, root)
  }
  return { resources, rewritten }
}

function idsIn({ ids }: ImportedSchema): { readonly ids?: string } {
  return ids === undefined ? {} : { ids }
}

function differingIn(references: readonly FoundReference[]): { readonly references?: object } {
  const named = references.filter(({ differs }) => differs)
  if (named.length === 0) return {}
  return { references: Object.fromEntries(named.map(({ field, resource }) => [field, { resource }])) }
}

function reportOf(
  made: RowsOf | undefined,
  references: readonly FoundReference[],
  schema: boolean,
  shape: ShapeSetting | undefined,
): ImportedResource {
  const { rows = [], examples = 0, made: count = 0, replaced = 0 } = made ?? {}
  const shown = shape === undefined || typeof shape === 'string' ? shape : 'template'
  return {
    rows: rows.length,
    examples,
    made: count,
    replaced,
    schema,
    references: referencesIn(references),
    shape: shown,
  }
}

/** Checks of all schemas of an import by one validator: each of its own would take long to be ready. */
class SchemaChecks {
  readonly #book: SchemaBook
  readonly #ajv = loadAjv(undefined, 'import', { isChecked: true })
  readonly #meta = metaAjv(undefined, 'import')

  constructor(book: SchemaBook) {
    this.#book = book
  }

  judge(schema: JsonSchema): Judge {
    const fits = attempt(() => this.#ajv.compile(this.#book.whole(schema)))
    if (!fits) return () => [{ path: '', message: 'has a schema that cannot be used' }]
    return (row) => (fits(row) ? [] : fieldFaults(fits.errors ?? []))
  }

  /** The schema as the settings have it; undefined if a server would refuse it. */
  usable(schema: JsonSchema): JsonSchema | undefined {
    const whole = this.#book.whole({ type: 'object', ...schema })
    const isUsable = attempt(() => {
      checkSchema(whole, 'import', new Set(Object.keys(this.#meta.formats)))
      return this.#meta.validateSchema(whole) === true && isObject(whole)
    })
    return isUsable ? whole : undefined
  }
}
