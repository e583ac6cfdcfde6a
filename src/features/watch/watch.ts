import { dirname, isAbsolute, relative } from 'node:path'
import { blameFile, configName, isPackageFile } from '../../config/config-file.ts'
import { isCutShort } from '../../core/kernel/json/find-json-fault.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import { shownSource } from '../../source/explain-source.ts'
import type { Renewal } from '../../source/load-parts.ts'
import { isJsonFile } from '../../source/load-source.ts'
import { FileWatch, type FollowedFiles, followedFiles } from '../../source/watched-files.ts'
import { readRegular } from '../../stores/file/regular-file.ts'
import type { Feature } from '../feature.ts'
import type { ReloadedService, Reloader, ReloaderOptions } from '../reloader.ts'
import type { Config, ConfigSettings } from '../settings.ts'
import type { ConfigFile } from '../start-options.ts'

export const watchFeature: Feature = {
  name: 'watch',
  isOn: ({ watch }) => watch,
  reloads: (config, options) => new Watch(config, options),
  open: () => ({ under: () => ({}) }),
}

const ADDRESS = ['port', 'host', 'https', 'ssl'] as const

/** Watches the files of a service, and loads changed ones. If one cannot be used, the old version stays. */
class Watch implements Reloader {
  readonly #options: ReloaderOptions
  /** The last message about each file that cannot be used. */
  readonly #problems = new Map<string, string>()
  readonly #files = new FileWatch()
  /** The config to serve; not the service's while something it names cannot be used. */
  #target: Config
  #read: Config
  #settings: ConfigSettings
  #followed: FollowedFiles = new Map()
  #ignored: readonly string[] = []
  #isClosed = false

  constructor(config: Config, options: ReloaderOptions) {
    this.#target = config
    this.#read = config
    this.#settings = options.settings
    this.#options = options
  }

  /** Records the state of the files before they are read, so that no change is missed. */
  async prepare(): Promise<void> {
    await this.#follow(this.#target)
  }

  /** Reloads what changed since `prepare` and what changes from now on, one at a time. */
  start(service: ReloadedService): void {
    const turns = new Turns()
    const reload = (paths: readonly string[]) => turns.take(() => this.#reload(service, paths))
    this.#files.start((paths) => void reload(paths).catch((error) => this.#printFailure('', error)))
  }

  close(): void {
    this.#isClosed = true
    this.#files.close()
  }

  async #reload(service: ReloadedService, paths: readonly string[]): Promise<void> {
    if (this.#isClosed) return
    const changed = new Set([...this.#followed.keys()].filter((name) => this.#isBehind(name, paths)))
    const faults = new Map<string, unknown>()
    const renewal: Renewal = { changed, onFault: (name, error) => void faults.set(name, error) }

    if (!(await this.#reloadData(service, renewal))) changed.delete(sourceName(service.now.config))
    if (!(await this.#reloadConfig(service, renewal))) changed.delete(this.#options.configFile?.path ?? '')
    await this.#reloadRest(service, renewal)
    const used = usedBy(service.now, this.#options.configFile?.path)
    const good = [...changed].filter((name) => used.has(name) && !faults.has(name))

    for (const [name, error] of faults) await this.#printFailure(name, error)
    const isGood = (path: string) => good.some((name) => this.#isBehind(name, [path]))
    const reloaded = withoutParents(paths.filter(isGood)).map(shownPath)
    for (const name of good) this.#problems.delete(name)
    if (reloaded.length > 0) this.#print(`${reloaded.join(', ')} changed, reloaded.`)
    this.#printIgnored(service)
    if (service.now.config.watch) return
    this.#print('The config turned watching off: from now on, changes need a restart.')
    this.close()
  }

  /** False if nothing changed, as after our own writes. */
  async #reloadData(service: ReloadedService, { changed, onFault }: Renewal): Promise<boolean> {
    const source = sourceName(service.now.config)
    if (source === '' || !changed.has(source)) return false
    // Before it is read, as in `prepare`: a script may have new imports, and a folder new files.
    if (!isJsonFile(source)) await this.#follow(this.#target, service.now.config)
    try {
      const isNew = await service.reloadData()
      this.#problems.delete(source)
      return isNew
    } catch (error) {
      onFault(source, error)
      return false
    }
  }

  /** False if the change does not affect our settings, like most changes to a package.json. */
  async #reloadConfig(service: ReloadedService, { changed, onFault }: Renewal): Promise<boolean> {
    const config = this.#options.configFile
    if (!config || !changed.has(config.path)) return false
    try {
      const isNew = await this.#readConfig(service, config)
      if (!isNew) this.#problems.delete(config.path)
      return isNew || !isPackageFile(config.path)
    } catch (error) {
      onFault(config.path, blameFile(error, config, this.#settings))
      return true
    }
  }

  async #reloadRest(service: ReloadedService, renewal: Renewal): Promise<void> {
    const { changed, onFault } = renewal
    if ([...changed].every((name) => name === sourceName(service.now.config))) return
    const config = this.#options.configFile
    await this.#follow(this.#target, service.now.config)
    try {
      await service.renew(this.#target, renewal)
      if (config) this.#problems.delete(config.path)
    } catch (error) {
      if (this.#target === service.now.config) throw error
      onFault(config?.path ?? '', config ? blameFile(error, config, this.#settings) : error)
      await service.renew(service.now.config, renewal)
    }
  }

  /** Keeps the address, which cannot change while listening. False if no setting changed. */
  async #readConfig(service: ReloadedService, file: ConfigFile): Promise<boolean> {
    const { port, host, https, ssl } = service.now.config
    this.#settings = await file.read()
    const read = this.#options.resolve(this.#settings)
    const isNew = JSON.stringify(read) !== JSON.stringify(this.#read)
    this.#read = read
    const { ssl: _, ...config } = read
    const isMoved = (key: (typeof ADDRESS)[number]) =>
      JSON.stringify(read[key]) !== JSON.stringify(service.now.config[key])
    this.#ignored = ADDRESS.filter(isMoved)
    this.#target = { ...config, port, host, https, ...(ssl && { ssl }) }
    return isNew
  }

  #printIgnored(service: ReloadedService): void {
    const { configFile } = this.#options
    if (!configFile || this.#ignored.length === 0 || service.now.config !== this.#target) return
    this.#print(
      `${configName(configFile.path)}: ${this.#ignored.join(', ')} will change when the server restarts.`,
    )
    this.#ignored = []
  }

  /** Prints each problem once until it is solved. */
  async #printFailure(name: string, error: unknown): Promise<void> {
    const message = (await isUnfinished(name)) ? `${name} is empty or half-written.` : messageOf(error)
    if (this.#problems.get(name) === message) return
    this.#problems.set(name, message)
    this.#print(`Not reloaded, the old version stays in use: ${message}`)
  }

  #print(line: string): void {
    if (!this.#isClosed) this.#options.log(line)
  }

  async #follow(...configs: readonly Config[]): Promise<void> {
    const { configFile, hasData } = this.#options
    const followed = await Promise.all(
      [...new Set(configs)].map((config) => followedFiles(config, hasData, configFile?.path)),
    )
    this.#followed = new Map(followed.flatMap((files) => [...files]))
    await this.#files.follow([...this.#followed.values()].flat())
  }

  #isBehind(name: string, paths: readonly string[]): boolean {
    return this.#followed.get(name)?.some((file) => paths.includes(file)) ?? false
  }
}

function sourceName({ source }: Config): string {
  return source === undefined ? '' : shownSource(source)
}

function usedBy(
  { config, logic }: ReloadedService['now'],
  configFile: string | undefined,
): ReadonlySet<string> {
  const schemas = Object.values(config.resources ?? {}).map(({ schema }) => schema)
  const names = [
    sourceName(config),
    config.routes,
    ...config.middlewares,
    ...schemas,
    logic?.name,
    configFile,
  ]
  return new Set(names.filter((name) => typeof name === 'string'))
}

/** Whether a JSON file ends too early. While it is slowly written, the error changes, but it is the same problem. */
async function isUnfinished(file: string): Promise<boolean> {
  if (!/\.json$/i.test(file)) return false
  const contents = await readRegular(file, file).catch(() => undefined)
  if (contents === undefined) return false
  const text = contents.bytes.toString()
  return attempt(() => JSON.parse(text)) === undefined && isCutShort(text)
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? ''
}

/** A folder whose files are named need not be named. */
function withoutParents(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => dirname(other) === path))
}

function shownPath(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}
