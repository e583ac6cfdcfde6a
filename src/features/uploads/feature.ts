import { realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { Request } from 'express'
import { staticFolders } from '../../config/static-files.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { type Images, SnapshotFolder } from '../../stores/file/snapshots.ts'
import type { Active, Feature, Generation, OpenFeature } from '../feature.ts'
import { type ServedWorld, servedWorldOf } from '../served-world.ts'
import type { Config } from '../settings.ts'
import { attachFiles } from './attach-files.ts'
import { DatabaseFiles } from './database-files.ts'
import { FORM_ERRORS, FORM_KINDS, formSchema } from './describe-form.ts'
import { DiskFiles } from './disk-files.ts'
import type { DurableFiles, FoundFile, KeptFiles } from './kept-files.ts'
import { hashesIn, Lifetime, SWEEP_MS } from './lifetime.ts'
import { FileMemory, MemoryFiles } from './memory-files.ts'
import { serveFiles } from './serve-file.ts'
import { UPLOADS } from './settings.ts'
import { StoredUrls } from './stored-url.ts'

export const uploadsFeature: Feature = {
  name: 'uploads',
  isOn: (config) => settingsOf(config) !== undefined,
  errors: FORM_ERRORS.map((code) => ({ code, kinds: FORM_KINDS })),
  bodies: [{ type: 'multipart/form-data', kinds: FORM_KINDS, schemaOf: formSchema }],
  open: () => new Uploads(),
}

function settingsOf({ uploads }: Config) {
  return uploads ? { ...UPLOADS, ...uploads } : undefined
}

/** The files of some data, and how long they stay. */
interface Kept {
  readonly engine: Engine
  readonly files: KeptFiles
  readonly lifetime: Lifetime
}

class Uploads implements OpenFeature {
  readonly #memory = new FileMemory()
  #base: (Kept & { readonly folder: string | undefined }) | undefined
  readonly #sessions = new Map<ServedWorld, Kept>()
  readonly #inSnapshots = new Map<string, ReadonlySet<string>>()
  #timer: NodeJS.Timeout | undefined

  under(now: Generation): Active {
    const { config, engine, schemas, isFake } = now
    const settings = settingsOf(config)
    if (!settings || isFake) return {}
    const { path } = settings
    const [, first = ''] = path.split('/')
    if (engine.kindOf(first)) {
      throw new ConfigError(
        `uploads.path: the data has a resource "${first}". Name another path, such as "/files".`,
      )
    }
    const folder = folderOf(now)
    if (folder !== undefined) checkFolder(folder, config)
    const urls = new StoredUrls(path)
    return {
      beforeGuards: [serveFiles({ path, find: (hash) => this.#find(hash) })],
      attachments: attachFiles({
        limits: settings,
        urls,
        filesOf: (req) => this.#filesOf(req, urls),
        schemaOf: (resource) => schemas.get(resource)?.json,
      }),
    }
  }

  async loaded(now: Generation): Promise<void> {
    const settings = settingsOf(now.config)
    if (!settings || now.isFake) return
    const folder = folderOf(now)
    if (this.#base?.engine === now.engine && this.#base.folder === folder) return
    const urls = new StoredUrls(settings.path)
    const durable = await openFiles(now, folder)
    const files = durable ?? new MemoryFiles(this.#memory)
    const { engine } = now
    const engines = () => [engine, ...[...this.#sessions.values()].map((session) => session.engine)]
    const others = () => this.#snapshots(imagesOf(now), urls)
    const lifetime = new Lifetime({ urls, files, engines, others })
    this.#base?.files.close()
    this.#base = { engine, files, lifetime, folder }
    engine.beforeSave = (next) => lifetime.beforeSave(next)
    if (durable) await this.#recover(durable, lifetime, now)
    this.#timer ??= setInterval(() => void this.#sweep(), SWEEP_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#base?.files.close()
  }

  /** After killed servers. What no row names, though no change here took its name, stays, and is said. */
  async #recover(files: DurableFiles, lifetime: Lifetime, { log, config }: Generation): Promise<void> {
    const named = await lifetime.named()
    await files.recover((hash) => named.has(hash))
    await lifetime.sweep()
    const left = await files.left()
    const count = (await files.hashes()).filter((hash) => !named.has(hash) && !left.has(hash)).length
    const { dir = '' } = settingsOf(config) ?? {}
    if (count > 0)
      log(`uploads: no row names ${count === 1 ? 'one file' : `${count} files`} in ${dir}. They stay.`)
  }

  async #find(hash: string): Promise<FoundFile | undefined> {
    for (const { files } of this.#sessions.values()) {
      const found = await files.find(hash)
      if (found) return found
    }
    return this.#base?.files.find(hash)
  }

  #filesOf(req: Request, urls: StoredUrls): KeptFiles {
    const world = servedWorldOf(req)
    if (world?.name !== undefined) return this.#sessionOf(world, urls).files
    if (!this.#base) throw new TypeError('Files are taken before the data is loaded.')
    return this.#base.files
  }

  #sessionOf(world: ServedWorld, urls: StoredUrls): Kept {
    const known = this.#sessions.get(world)
    if (known) return known
    const { engine } = world
    const files = new MemoryFiles(this.#memory)
    const lifetime = new Lifetime({ urls, files, engines: () => [engine], others: async function* () {} })
    engine.beforeSave = (next) => lifetime.beforeSave(next)
    const session = { engine, files, lifetime }
    this.#sessions.set(world, session)
    world.onEnd(() => {
      this.#sessions.delete(world)
      files.close()
    })
    return session
  }

  async #sweep(): Promise<void> {
    for (const { lifetime } of [this.#base, ...this.#sessions.values()].flatMap((kept) => kept ?? [])) {
      // If a snapshot or the seed cannot be read, files that it may name stay.
      await lifetime.sweep().catch(() => {})
    }
  }

  async *#snapshots(images: Images | undefined, urls: StoredUrls): AsyncGenerator<ReadonlySet<string>, void> {
    for (const name of (await images?.names()) ?? []) {
      const data = this.#inSnapshots.has(name) ? undefined : await images?.read(name)
      if (data) this.#inSnapshots.set(name, await hashesIn(data, urls))
      yield this.#inSnapshots.get(name) ?? new Set()
    }
  }
}

function imagesOf({ images, config: { snapshots } }: Generation): Images | undefined {
  return images ?? (snapshots === undefined ? undefined : new SnapshotFolder(snapshots, async () => []))
}

async function openFiles(
  { connections, savedIn = [] }: Generation,
  folder: string | undefined,
): Promise<DurableFiles | undefined> {
  if (connections) return DatabaseFiles.open(connections)
  return folder === undefined ? undefined : DiskFiles.open(folder, savedIn)
}

/** Beside the data; undefined where nothing is saved in files. */
function folderOf({ config, savedIn }: Generation): string | undefined {
  const [first] = savedIn ?? []
  const settings = settingsOf(config)
  return first === undefined || !settings ? undefined : resolve(dirname(first), settings.dir)
}

/** Refuses a folder whose files a browser could get as they are. */
function checkFolder(folder: string, config: Config): void {
  const real = (path: string): string => attempt(() => realpathSync(path)) ?? path
  const open = (path: string): string =>
    attempt(() => realpathSync(path)) ??
    (dirname(path) === path ? path : join(open(dirname(path)), path.slice(dirname(path).length)))
  const own = open(folder)
  const public_ = staticFolders(config.static)
    .map((path) => real(resolve(path)))
    .find((path) => own === path || own.startsWith(path.endsWith(sep) ? path : path + sep))
  if (public_ === undefined) return
  throw new ConfigError(
    `uploads.dir: ${folder} lies in ${public_}, which is served as it is. Name another folder.`,
  )
}
