import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BaseConfig } from '../config/config.ts'
import { isConfigModule } from '../config/config-file.ts'
import { isHandlerName } from '../config/handler-name.ts'
import { moduleFiles } from '../config/load-module.ts'
import { isLayer } from '../core/layers/list.ts'
import { DataFolder } from '../stores/file/data-folder.ts'
import { versionOf } from '../stores/file/fs.ts'
import { schemaFiles } from '../wings/validation/bundle-schema.ts'
import { isAddress, shownSource } from './explain-source.ts'
import { logicNames } from './load-logic.ts'
import { isFolder, isInFiles, type SourceSetting } from './load-source.ts'
import { besidesData } from './open-data.ts'

export type FollowedFiles = ReadonlyMap<string, readonly string[]>

/** The files behind each name in a config, and behind its own. Resolved on each call: imports may have changed. */
export async function followedFiles(
  config: BaseConfig,
  hasData: boolean,
  configFile?: string,
): Promise<FollowedFiles> {
  const { source, routes, middlewares, resources = {} } = config
  const schemas = Object.values(resources).flatMap(({ schema }) =>
    typeof schema === 'string' ? [schema] : [],
  )
  const isServed = source !== undefined && !hasData
  const isFile = isServed && !(typeof source === 'string' && isAddress(source))
  const modules = [
    ...(isFile && typeof source === 'string' && !isInFiles(source) ? [source] : []),
    ...logicNames(config, hasData),
    ...middlewares.filter((entry) => !isLayer(entry) && !isHandlerName(entry)),
    ...(configFile !== undefined && isConfigModule(configFile) ? [configFile] : []),
  ]
  return new Map([
    ...(isFile
      ? [[shownSource(source), await sourceFiles(source, besidesData(config, configFile))] as const]
      : []),
    ...[routes, configFile].flatMap((file) => (file === undefined ? [] : [[file, [resolve(file)]] as const])),
    ...schemas.map((schema) => [schema, schemaFiles(schema)] as const),
    ...(await Promise.all(modules.map(async (entry) => [entry, await moduleFiles(entry)] as const))),
  ])
}

/** A folder changes when files come and go. */
async function sourceFiles(source: SourceSetting, besides: readonly string[]): Promise<readonly string[]> {
  const paths = [source].flat().map((path) => resolve(path))
  const [folder] = paths
  if (typeof source !== 'string' || folder === undefined || !isFolder(source)) return paths
  return [folder, ...(await new DataFolder(folder, besides).list())]
}

interface Followed {
  version: string
  /** A newer version, and since when it has been stable. */
  pending?: { readonly version: string; readonly since: number; readonly first: number }
}

const GONE = 'gone'
const INTERVAL = 200
/** Debounce: how long a file must be unchanged to count as written, in milliseconds. */
const QUIET = 40
/** The same for a missing file: editors and version control delete a file and write it again. */
const QUIET_WHEN_GONE = 250
/** A file that keeps changing is reported after this long anyway. */
const PATIENCE = 500

/**
 * Reports changed files by polling, a few times a second. The system's watches would be a little faster, but run out,
 * and miss network drives, mounted files and replaced folders.
 */
export class FileWatch {
  readonly #files = new Map<string, Followed>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** Watches exactly these files. New ones are reported when they change from now on. */
  async follow(paths: Iterable<string>): Promise<void> {
    const wanted = new Set(paths)
    for (const path of this.#files.keys()) if (!wanted.has(path)) this.#files.delete(path)
    const added = [...wanted].filter((path) => !this.#files.has(path))
    await Promise.all(added.map(async (path) => this.#files.set(path, { version: await versionAt(path) })))
  }

  /** Starts reporting files that changed and settled, beginning with those changed since `follow`. */
  start(onChange: (paths: readonly string[]) => void): void {
    void this.#check(onChange)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #check(onChange: (paths: readonly string[]) => void): Promise<void> {
    const changed: string[] = []
    await Promise.all(
      [...this.#files].map(async ([path, file]) => {
        if (hasSettled(file, await versionAt(path))) changed.push(path)
      }),
    )
    if (this.#isClosed) return
    const isRestless = [...this.#files.values()].some(({ pending }) => pending)
    this.#timer = setTimeout(() => void this.#check(onChange), isRestless ? QUIET : INTERVAL).unref()
    if (changed.length > 0) onChange(changed)
  }
}

function hasSettled(file: Followed, version: string): boolean {
  if (version === file.version) {
    delete file.pending
    return false
  }
  const now = performance.now()
  const { pending } = file
  const since = pending?.version === version ? pending.since : now
  const first = pending?.first ?? now
  const quiet = version === GONE ? QUIET_WHEN_GONE : QUIET
  if (now - since < quiet && now - first < PATIENCE) {
    file.pending = { version, since, first }
    return false
  }
  file.version = version
  delete file.pending
  return true
}

async function versionAt(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  return stats ? versionOf(stats) : GONE
}
