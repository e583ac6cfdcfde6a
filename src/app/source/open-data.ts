import { stat } from 'node:fs/promises'
import { ConfigError } from '../../errors.ts'
import type { Engine, Fork, MaybePromise } from '../../storage/engine.ts'
import { JsonFile } from '../../storage/file/json-file.ts'
import { checkData } from '../../storage/json/load.ts'
import { forkEngine, LocalEngine } from '../../storage/local/local-engine.ts'
import { isPostgres } from '../../storage/postgres/link/address.ts'
import type { Data, Naming } from '../../storage/types.ts'
import type { Config } from '../config/config.ts'
import { nextVersion } from '../modules/load-module.ts'
import { isJsonFile, loadSource, readSeed } from './load-source.ts'
import { sampleData } from './sample-data.ts'

/**
 * Creates the engine for the source in the config, or for `data` if given.
 * @param isLive whether `data` stays the caller's own, and both see each other's changes
 * @param now what time changes are made at, where the engine notes it itself
 */
export async function openData(
  config: Config,
  data: object | undefined,
  log: (line: string) => void,
  isLive = true,
  now = Date.now,
): Promise<Engine> {
  const { id, foreignKeySuffix, source, seed, persist } = config
  const naming = { id, foreignKeySuffix }
  if (seed !== undefined && !config.hosted) await readSeed(seed)
  if (data !== undefined) return engineOf(checkData(data, 'data'), isLive, naming)
  if (config.hosted) return new LocalEngine({}, { ...naming, isOwned: true })
  if (source === undefined) {
    throw new ConfigError('source: nothing to serve. Name a data file, such as db.json.')
  }
  if (isPostgres(source)) {
    if (!persist) throw new ConfigError(PERSISTS)
    return openDatabase(source, { naming, seed, log, now })
  }
  const loaded = await loadSource(source, { naming, seed, persist })
  if (loaded.kind === 'memory') {
    const engine = new LocalEngine(loaded.data, { ...naming, isOwned: loaded.isOurs })
    if (isJsonFile(source)) unsaved.set(engine, new JsonFile(source))
    return engine
  }
  if (loaded.created)
    log(`${source} did not exist: created it ${seed ? `from ${seed}` : 'with sample data'}.`)
  const medium = new JsonFile(loaded.path)
  const content = medium.readSync()
  if (persist) return new LocalEngine(content, { ...naming, medium, isOwned: true })
  const engine = new LocalEngine(content, { ...naming, isOwned: true })
  unsaved.set(engine, medium)
  return engine
}

const PERSISTS =
  'persist: changes to a database are always saved. Remove --no-persist; or serve a copy of the data: restable export postgres://… db.json.'

/** A database as it is: where there is no data, none is made. */
export async function openFilled(source: string, naming: Naming): Promise<Engine> {
  const { openPostgres } = await import('../../storage/postgres/postgres-engine.ts')
  const sample = () => {
    throw new ConfigError('source: the database has no data. Import a file, or start a server, first.')
  }
  return openPostgres(source, { ...naming, sample })
}

interface DatabaseOptions {
  readonly naming: Naming
  readonly seed: string | undefined
  readonly log: (line: string) => void
  readonly now: () => number
}

/** Loads what it takes only now: nobody else needs a database, or its driver. */
async function openDatabase(source: string, { naming, seed, log, now }: DatabaseOptions): Promise<Engine> {
  const { openPostgres } = await import('../../storage/postgres/postgres-engine.ts')
  let isNew = false
  const sample = () => {
    isNew = true
    return seed === undefined ? sampleData(naming) : readSeed(seed)
  }
  const engine = await openPostgres(source, { ...naming, sample, now })
  if (isNew) log(`The database had no data: filled it ${seed ? `from ${seed}` : 'with sample data'}.`)
  log('The data is in a database, so there are no sessions: requests that name one get 501.')
  return engine
}

/** The files of engines that do not write to them. */
const unsaved = new WeakMap<Engine, JsonFile>()

function engineOf(data: Data, isLive: boolean, naming: Naming): Engine {
  if (isLive) return new LocalEngine(data, naming)
  return new LocalEngine(JSON.parse(JSON.stringify(data)), { ...naming, isOwned: true })
}

/**
 * Reloads the data from its source; false if nothing changed. What a JavaScript file computes, and what is in a file that
 * is not written to, replaces everything, including changes made since.
 */
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
  const found = await stat(source).catch(() => undefined)
  if (found) return false
  throw new ConfigError(`${source} is gone. ${file ? 'Its data is still served.' : WRITTEN_AGAIN}`)
}

const WRITTEN_AGAIN = 'The next change to the data writes it again.'

function replaceAll(engine: Engine, data: Data): Promise<unknown> {
  return engine.write({ kind: 'replace-database', data }, { isOutside: true })
}

/** A copy of the data, in memory only, such as a session has. */
export function copyData(engine: Engine): MaybePromise<Fork> {
  return forkEngine(engine)
}
