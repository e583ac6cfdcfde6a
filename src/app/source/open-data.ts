import { stat } from 'node:fs/promises'
import { ConfigError } from '../../errors.ts'
import type { Engine, Fork, MaybePromise } from '../../storage/engine.ts'
import { JsonFile } from '../../storage/file/json-file.ts'
import { checkData } from '../../storage/json/load.ts'
import { forkEngine, LocalEngine } from '../../storage/local/local-engine.ts'
import type { Config } from '../config/config.ts'
import { nextVersion } from '../modules/load-module.ts'
import { loadSource } from './load-source.ts'

/** Creates the engine for the source in the config, or for `data` if given. */
export async function openData(
  config: Config,
  data: object | undefined,
  log: (line: string) => void,
): Promise<Engine> {
  const { id, foreignKeySuffix, source } = config
  const naming = { id, foreignKeySuffix }
  if (data !== undefined) return new LocalEngine(checkData(data, 'data'), naming)
  if (config.hosted) return new LocalEngine({}, { ...naming, isOwned: true })
  if (source === undefined) {
    throw new ConfigError('source: nothing to serve. Name a data file, such as db.json.')
  }
  const loaded = await loadSource(source, { naming })
  if (loaded.kind === 'memory') return new LocalEngine(loaded.data, { ...naming, isOwned: loaded.isOurs })
  if (loaded.created) log(`${source} did not exist: created it with sample data.`)
  const medium = new JsonFile(loaded.path)
  return new LocalEngine(medium.readSync(), { ...naming, medium, isOwned: true })
}

/**
 * Reloads the data from its source; false if nothing changed. Data that a JavaScript file
 * computes replaces everything, including changes made since.
 */
export async function reloadData(engine: Engine, source: string): Promise<boolean> {
  if (!/\.json$/i.test(source)) {
    const loaded = await loadSource(source, { version: nextVersion() })
    if (loaded.kind === 'memory') await engine.write({ kind: 'replace-database', data: loaded.data })
    return true
  }
  if (await engine.refresh()) return true
  const found = await stat(source).catch(() => undefined)
  if (found) return false
  throw new ConfigError(`${source} is gone. The next change to the data writes it again.`)
}

/** A copy of the data, in memory only, such as a session has. */
export function copyData(engine: Engine): MaybePromise<Fork> {
  return forkEngine(engine)
}
