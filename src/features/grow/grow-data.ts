import { resolve } from 'node:path'
import { declaredOf } from '../../config/declared-of.ts'
import { checkResources } from '../../config/resources/open-resources.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { ConfigError, StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { Clock } from '../../core/kernel/util/clock.ts'
import { useRules } from '../../source/account-rules.ts'
import { shownSource } from '../../source/explain-source.ts'
import { loadSchemas } from '../../source/load-parts.ts'
import { isJsonFile } from '../../source/load-source.ts'
import { openExisting } from '../../source/open-data.ts'
import { checkTarget } from '../../source/transfer.ts'
import { replaceFiles } from '../../stores/file/write-file.ts'
import { Serializer } from '../../stores/formats/serialize.ts'
import { isPostgres } from '../../stores/postgres/address.ts'
import type { Config } from '../settings.ts'
import { configOf, type StartOptions, splitCodeFromSettings } from '../start-options.ts'

export interface GrowDataOptions {
  /** Settings as of the server: where the data is, and what its resources are. */
  readonly settings: StartOptions
  /** How many rows to add to each collection. */
  readonly counts: Readonly<Record<string, number>>
  /** The same seed makes the same rows of the same data. @default by the number of rows */
  readonly seed?: number | undefined
  /** A JSON file to write everything to, instead of saving the rows where the data comes from. */
  readonly out?: string | undefined
}

/** Rows of one run: all of them are in memory. */
const MOST_ROWS = 1_000_000

/**
 * Adds rows like those that are there to a file or a database: all of them or, if anything fails, none. Resolves with
 * how many were added to each collection, missing parents included.
 *
 * @example await growData({ settings: { source: 'db.json' }, counts: { products: 500 }, seed: 7 })
 */
export async function growData(options: GrowDataOptions): Promise<Readonly<Record<string, number>>> {
  const { settings, counts, seed, out } = options
  const config = configOf(splitCodeFromSettings(settings).settings, settings.configFile)
  if (out !== undefined) await checkOut(out)
  const engine = await openSource(config, counts, {
    configFile: settings.configFile?.path,
    isCopy: out !== undefined,
  })
  try {
    const schemas = await loadSchemas(config)
    checkResources(config.resources ?? {}, engine)
    await useRules(engine, config, schemas, new Clock())
    const ground = { engine, declaredOf: (name: string) => declaredOf(config, schemas, name) }
    const { growRows } = await import('./grow-rows.ts')
    const { created } = await growRows(counts, ground, { most: MOST_ROWS, seed })
    if (out !== undefined) await writeTo(out, engine)
    return created
  } catch (error) {
    throw withRemedy(error, counts)
  } finally {
    await engine.close()
  }
}

async function openSource(
  { seed: _, ...config }: Config,
  counts: GrowDataOptions['counts'],
  { configFile, isCopy }: { configFile: string | undefined; isCopy: boolean },
): Promise<Engine> {
  const { source = '' } = config
  const isDatabase = isPostgres(source)
  if (isDatabase && isCopy)
    throw new ConfigError('grow: a database keeps its rows itself. Leave --out out, and restable export it.')
  const { engine, files } = await openExisting({ ...config, persist: !isCopy }, { configFile })
  const isSaved = isDatabase || (files && Object.keys(counts).every((name) => files.saves(name)))
  if (isCopy || isSaved) return engine
  await engine.close()
  throw new ConfigError(
    `grow: rows cannot be saved to "${shownSource(source)}". Write everything to a file: --out db.json`,
  )
}

function checkOut(out: string): Promise<void> {
  if (isJsonFile(out)) return checkTarget('grow', out, 'Name another file.')
  throw new ConfigError(`grow: "${out}" has to be a .json file. For example: --out db.json`)
}

async function writeTo(out: string, { database }: Engine): Promise<void> {
  const pieces = await new Serializer().serialize(database)
  const chunks = [...pieces, Buffer.from('\n')]
  await replaceFiles([{ target: resolve(out), chunks }], () => checkOut(out))
}

/** A server that serves the same file can add the rows itself. */
function withRemedy(error: unknown, counts: object): unknown {
  if (!(error instanceof StorageError) || error.code !== 'WRITE_FAILED') return error
  const message = `${error.message} If a server serves it, let that do it: POST /__grow ${JSON.stringify(counts)}`
  return new StorageError('WRITE_FAILED', message, { cause: error })
}
