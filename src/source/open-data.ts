import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BaseConfig } from '../config/config.ts'
import { nextVersion } from '../config/load-module.ts'
import { namingOf } from '../config/naming-of.ts'
import { recordingFile } from '../config/recording-file.ts'
import { Database } from '../core/engine/data/database.ts'
import type { StoredHistory } from '../core/engine/data/store.ts'
import { Engine, type EngineOptions } from '../core/engine/engine.ts'
import type { Data } from '../core/engine/types.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import type { DataFiles } from '../stores/file/data-files.ts'
import { FileStore } from '../stores/file/file-store.ts'
import type { Images } from '../stores/file/snapshots.ts'
import { checkData } from '../stores/formats/load.ts'
import { liveDataOf, openLive } from '../stores/live/live-data.ts'
import { isPostgres } from '../stores/postgres/address.ts'
import type { Connections } from '../stores/postgres/connections.ts'
import type { Shared } from '../stores/postgres/shared.ts'
import { schemaFiles } from '../wings/validation/bundle-schema.ts'
import { hidePasswords } from './account-rules.ts'
import { isAddress, noSuchFile, shownSource } from './explain-source.ts'
import { logicNames } from './load-logic.ts'
import {
  dataFiles,
  isDataFile,
  isFolder,
  isInFiles,
  type LoadSourceOptions,
  loadSource,
  readSeed,
  readSeedAgain,
  type SourceSetting,
  sampleData,
} from './load-source.ts'

export interface OpenedData {
  readonly engine: Engine
  readonly shared?: Shared | undefined
  readonly images?: Images | undefined
  readonly connections?: Connections | undefined
  /** Where logins are saved, if rows are. */
  readonly loginFile?: string
  /** The files that changes are saved to. */
  readonly files?: DataFiles
  /** Files that are only read: what is changed in them replaces what was changed here. */
  readonly unsaved?: DataFiles
  /** Parts in place of those of the source. */
  readonly over?: Data | undefined
}

export interface OpenDataOptions {
  readonly data?: object | undefined
  readonly live?: boolean | undefined
  /** Parts in place of those of the source, of which a copy is served then. */
  readonly over?: Data | undefined
  /** Served in place of both, and not saved. */
  readonly examples?: object | undefined
  /** Whether a data file that is missing begins empty. */
  readonly isEmpty?: boolean | undefined
  readonly now?: (() => number) | undefined
  /** The version that the history starts at, where the data does not bring one. @default the time */
  readonly start?: number | undefined
  readonly configFile?: string | undefined
  readonly log: (line: string) => void
}

/** Nothing reads passwords, even before all rules hold. */
export async function openData(config: BaseConfig, options: OpenDataOptions): Promise<OpenedData> {
  const { now = Date.now } = options
  const opened = await openSource(config, options)
  await hidePasswords(opened.engine, config, () => new Date(now()))
  return { ...opened, over: options.over }
}

async function openSource(config: BaseConfig, options: OpenDataOptions): Promise<OpenedData> {
  const { source, seed, persist } = config
  const naming = namingOf(config)
  const { data, examples, over, live = true, now, start = Date.now(), configFile, log } = options
  const besides = besidesData(config, configFile)
  const readOrigin = async (path: string) => withOver(await readSeedAgain(path, { besides, source }), over)
  const origin = seed !== undefined ? () => readOrigin(seed) : undefined
  const past: StoredHistory = { base: start, bottom: start, commits: [] }
  const common = { ...naming, now, origin, past }
  if (seed !== undefined) await readSeed(seed, { besides, source })
  if (examples) return { engine: new Engine(checkData(structuredClone(examples), 'examples'), common) }
  if (data !== undefined) {
    const checked = checkData(data, 'data')
    if (live && !over) return { engine: openLive({ data: checked }, common) }
    return { engine: new Engine(withOver(JSON.parse(JSON.stringify(checked)), over), common) }
  }
  if (source === undefined) {
    throw new ConfigError('source: nothing to serve. Name a data file, such as db.json.')
  }
  if (isPostgres(source)) {
    if (!persist) throw new ConfigError(PERSISTS)
    let filled: string | undefined
    const sample = () => {
      filled = seed === undefined ? 'with sample data' : `from ${seed}`
      return seed === undefined ? sampleData(naming) : readSeed(seed, { besides, source })
    }
    const opened = await openDatabase(source, sample, common)
    if (filled !== undefined) log(`The database had no data: filled it ${filled}.`)
    return opened
  }
  const how: LoadSourceOptions = { naming, seed, persist, besides, isEmpty: options.isEmpty }
  const loaded = await loadSource(source, how)
  if (loaded.kind === 'memory') {
    const engine =
      loaded.isOurs || over
        ? new Engine(withOver(loaded.data, over), common)
        : openLive({ data: loaded.data }, common)
    return { engine, ...(isInFiles(source) && { unsaved: dataFiles(source, how) }) }
  }
  if (loaded.created) log(`${shownSource(source)} did not exist: created it ${loaded.created}.`)
  const { files } = loaded
  const found = await files.load(naming)
  for (const line of files.remarks) log(line)
  const database = (persist && !config.readOnly ? await files.cutUnfinished() : undefined) ?? found
  const store = persist ? new FileStore(files, database) : undefined
  const engine = new Engine(withOver(database, over), { ...common, store })
  sayRounded(files, engine, log)
  if (!persist) return { engine, unsaved: files }
  return { engine, files, ...(!config.readOnly && { loginFile: loginFileOf(source) }) }
}

function withOver(data: Data | Database, over: Data | undefined): Data | Database {
  return over ? Database.of(data).withAll(Database.of(over)) : data
}

/** Beside the data, one for each source: its users are others. */
function loginFileOf(source: SourceSetting): string {
  const paths = [source].flat().map((path) => resolve(path))
  const [first = ''] = paths
  const folder = isFolder(first) ? first : dirname(first)
  const name = createHash('sha256').update(JSON.stringify(paths)).digest('hex').slice(0, 16)
  return join(folder, '.restable', `logins-${name}.json`)
}

/** When the file is read, and again when a save has written what its numbers became. */
function sayRounded(files: DataFiles, engine: Engine, log: (line: string) => void): void {
  let said: readonly string[] = []
  const say = () => {
    const lines = files.rounded
    for (const line of lines) if (!said.includes(line)) log(line)
    said = lines
  }
  say()
  engine.subscribe(say)
}

const PERSISTS =
  'persist: changes to a database are always saved. Remove --no-persist; or serve a copy of the data: restable export postgres://… db.json.'

/** The same for data that is there already: neither is a missing file created, nor an empty database filled. */
export async function openExisting(
  config: BaseConfig,
  { data, configFile }: Pick<OpenDataOptions, 'data' | 'configFile'>,
): Promise<OpenedData> {
  const { source } = config
  if (data === undefined && isPostgres(source)) {
    const refuse = () => {
      throw new ConfigError('source: the database has no data. Import a file, or start a server, first.')
    }
    return openDatabase(source, refuse, namingOf(config))
  }
  if (data === undefined) checkExists(source)
  return openData(config, { data, configFile, log: () => {} })
}

export function checkExists(source: SourceSetting = []): void {
  const missing = [source].flat().find((path) => isDataFile(path) && !existsSync(path))
  if (missing !== undefined) throw noSuchFile(missing)
}

/** @param sample what an empty database is filled with */
async function openDatabase(
  source: string,
  sample: () => Data | Promise<Data>,
  options: EngineOptions,
): Promise<OpenedData> {
  const { openPostgres } = await import('../stores/postgres/open-postgres.ts')
  const { database, shared, images, connections, ...stored } = await openPostgres(source, { sample })
  const { origin = stored.origin } = options
  return { engine: new Engine(database, { ...options, ...stored, origin }), shared, images, connections }
}

/** Reloads the data; false if nothing changed. Computed data, and files not written to, replace changes made since. */
export async function reloadData(
  { engine, files, unsaved, over }: OpenedData,
  source: SourceSetting,
): Promise<boolean> {
  if (isPostgres(source)) return engine.refresh()
  if (!isInFiles(source)) {
    if (!isAddress(source) && !existsSync(source)) throw new ConfigError(`${source} is gone. ${STILL_SERVED}`)
    const loaded = await loadSource(source, { version: nextVersion() })
    if (loaded.kind !== 'memory') return true
    if (loaded.isOurs || over) await replaceAll(engine, withOver(loaded.data, over))
    else {
      liveDataOf(engine).setState(loaded.data, true)
      await engine.refresh()
    }
    return true
  }
  const content = unsaved && (await unsaved.changedOutside()) ? await unsaved.read() : undefined
  if (unsaved?.fault) throw unsaved.fault
  if (content) await replaceAll(engine, withOver(content, over))
  const isNew = Boolean(content) || (await engine.refresh())
  // What the other files hold is served.
  if (files?.fault) throw files.fault
  if (isNew) return true
  for (const path of [source].flat()) {
    if (await stat(path).catch(() => undefined)) continue
    throw new ConfigError(`${path} is gone. ${unsaved ? STILL_SERVED : WRITTEN_AGAIN}`)
  }
  return false
}

const STILL_SERVED = 'Its data is still served.'
const WRITTEN_AGAIN = 'The next change to the data writes it again.'

/** Files that the settings name, which may be in the folder with the data. */
export function besidesData(config: BaseConfig, configFile?: string): readonly string[] {
  const { routes, seed, middlewares, ssl, resources = {} } = config
  const schemas = Object.values(resources).flatMap(({ schema }) =>
    typeof schema === 'string' ? schemaFiles(schema) : [],
  )
  const named = [
    configFile,
    recordingFile(configFile),
    routes,
    seed,
    ssl?.cert,
    ssl?.key,
    ...middlewares,
    ...schemas,
  ]
  return [...named, ...logicNames(config, false)].filter((path) => path !== undefined)
}

function replaceAll(engine: Engine, data: Data | Database): Promise<unknown> {
  return engine.write({ kind: 'replace-database', data }, { isOutside: true })
}
