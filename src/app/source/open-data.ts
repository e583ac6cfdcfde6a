import { stat } from 'node:fs/promises'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { Database } from '../../storage/data/database.ts'
import type { Past } from '../../storage/data/store.ts'
import { Engine } from '../../storage/engine/engine.ts'
import type { Images } from '../../storage/engine/snapshots.ts'
import { FileStore } from '../../storage/file/file-store.ts'
import { JsonFile } from '../../storage/file/json-file.ts'
import { checkData } from '../../storage/json/load.ts'
import { openLive } from '../../storage/live/live-data.ts'
import { isPostgres } from '../../storage/postgres/address.ts'
import type { Shared } from '../../storage/postgres/shared.ts'
import type { Data, Naming } from '../../storage/types.ts'
import type { Config } from '../config/config.ts'
import { nextVersion } from './load-module.ts'
import { isJsonFile, loadSource, readSeed, readSeedAgain, sampleData } from './load-source.ts'

export interface OpenedData {
  readonly engine: Engine
  readonly shared?: Shared | undefined
  readonly images?: Images | undefined
}

export interface OpenOptions {
  readonly data?: object | undefined
  readonly live?: boolean | undefined
  readonly now?: (() => number) | undefined
  /** The version that the history starts at, where the data does not bring one. @default the time */
  readonly start?: number | undefined
  readonly log: (line: string) => void
}

export async function openData(config: Config, options: OpenOptions): Promise<OpenedData> {
  const { id, foreignKeySuffix, source, seed, persist, hosted } = config
  const { data, live = true, now, start = Date.now(), log } = options
  const origin = seed !== undefined && !hosted ? () => readSeedAgain(seed) : undefined
  const past: Past = { base: start, bottom: start, commits: [] }
  const common = { id, foreignKeySuffix, now, origin, past }
  if (seed !== undefined && !hosted) await readSeed(seed)
  if (data !== undefined) {
    const checked = checkData(data, 'data')
    if (live) return { engine: openLive({ data: checked }, common) }
    return { engine: new Engine(JSON.parse(JSON.stringify(checked)), common) }
  }
  if (hosted) return { engine: new Engine({}, common) }
  if (source === undefined) {
    throw new ConfigError('source: nothing to serve. Name a data file, such as db.json.')
  }
  if (isPostgres(source)) {
    if (!persist) throw new ConfigError(PERSISTS)
    return openDatabase(source, config, { now, log })
  }
  const loaded = await loadSource(source, { naming: { id, foreignKeySuffix }, seed, persist })
  if (loaded.kind === 'memory') {
    const engine = loaded.isOurs ? new Engine(loaded.data, common) : openLive({ data: loaded.data }, common)
    if (isJsonFile(source)) unsaved.set(engine, new JsonFile(source))
    return { engine }
  }
  if (loaded.created)
    log(`${source} did not exist: created it ${seed ? `from ${seed}` : 'with sample data'}.`)
  const file = new JsonFile(loaded.path)
  const database = Database.of(file.readSync())
  if (persist) return { engine: new Engine(database, { ...common, store: new FileStore(file, database) }) }
  const engine = new Engine(database, common)
  unsaved.set(engine, file)
  return { engine }
}

const PERSISTS =
  'persist: changes to a database are always saved. Remove --no-persist; or serve a copy of the data: restable export postgres://… db.json.'

export function openFilled(source: string, naming: Naming): Promise<OpenedData> {
  return openPostgres(source, naming, {
    sample: () => {
      throw new ConfigError('source: the database has no data. Import a file, or start a server, first.')
    },
  })
}

async function openDatabase(
  source: string,
  { id, foreignKeySuffix, seed, reads }: Config,
  { now, log }: Pick<OpenOptions, 'now' | 'log'>,
): Promise<OpenedData> {
  const naming = { id, foreignKeySuffix }
  let isNew = false
  const sample = () => {
    isNew = true
    return seed === undefined ? sampleData(naming) : readSeed(seed)
  }
  const opened = await openPostgres(source, naming, { sample, now, reads, seed })
  if (isNew) log(`The database had no data: filled it ${seed ? `from ${seed}` : 'with sample data'}.`)
  return opened
}

interface PostgresOptions {
  readonly sample: () => Data | Promise<Data>
  readonly now?: (() => number) | undefined
  readonly reads?: Config['reads']
  readonly seed?: string | undefined
}

async function openPostgres(source: string, naming: Naming, options: PostgresOptions): Promise<OpenedData> {
  const { openPostgres } = await import('../../storage/postgres/open-postgres.ts')
  const { now, seed, ...how } = options
  const { database, shared, images, ...stored } = await openPostgres(source, how)
  const origin = seed === undefined ? stored.origin : () => readSeedAgain(seed)
  return { engine: new Engine(database, { ...naming, ...stored, origin, now }), shared, images }
}

const unsaved = new WeakMap<Engine, JsonFile>()

/** Reloads the data; false if nothing changed. Computed data, and files not written to, replace changes made since. */
export async function reloadData(engine: Engine, source: string): Promise<boolean> {
  if (isPostgres(source)) return engine.refresh()
  if (!/\.json$/i.test(source)) {
    const loaded = await loadSource(source, { version: nextVersion() })
    if (loaded.kind === 'memory') await replaceAll(engine, loaded.data)
    return true
  }
  const file = unsaved.get(engine)
  const content = file && (await file.changedOutside()) ? await file.read() : undefined
  if (content) await replaceAll(engine, content)
  if (content || (await engine.refresh())) return true
  if (await stat(source).catch(() => undefined)) return false
  throw new ConfigError(`${source} is gone. ${file ? 'Its data is still served.' : WRITTEN_AGAIN}`)
}

const WRITTEN_AGAIN = 'The next change to the data writes it again.'

function replaceAll(engine: Engine, data: Data): Promise<unknown> {
  return engine.write({ kind: 'replace-database', data }, { isOutside: true })
}
