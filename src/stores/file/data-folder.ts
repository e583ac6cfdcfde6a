import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatOf } from '../formats/formats.ts'
import { DELAYS_MS } from './regular-file.ts'

/** Ours, those of package managers, of tools, of hosts and containers, and descriptions of an API. */
const SETTINGS: readonly RegExp[] = [
  /^(?:.+\.config\.\w+|(?:json-server|routes)\.json)$/i,
  /^(?:(?:package|package-lock|npm-shrinkwrap|lerna|nx|turbo|composer|bower|jsr)\.json|(?:pnpm-lock|pnpm-workspace|pubspec)\.yaml)$/i,
  /^(?:(?:[jt]sconfig.*|tslint|angular|cypress|cypress\.env|nodemon|typedoc|cspell|renovate)\.json|(?:deno|biome|knip)\.jsonc?)$/i,
  /^(?:(?:appsettings.*|firebase|vercel|nest-cli|ng-package|launchsettings)\.json|wrangler\.jsonc?|(?:(?:docker-)?compose(?:[.-].*)?|serverless|mkdocs|codecov|(?:azure|bitbucket)-pipelines|buildspec|cloudbuild|kustomization|skaffold|lefthook|taskfile)\.ya?ml)$/i,
  /^(?:openapi|swagger)\.(?:json|ya?ml)$/i,
]

/** Hidden files, as those of a save are, and snapshots. */
const HIDDEN = /^\.|^db-\d{13}(?:-\d+)?\.json$/

/** A folder of data files, which come and go. */
export class DataFolder {
  readonly path: string
  readonly #besides: readonly string[]
  /** Warnings for the start, a line each. */
  remarks: readonly string[] = []

  /** @param besides files that are no data, by whatever path */
  constructor(path: string, besides: readonly string[] = []) {
    this.path = resolve(path)
    this.#besides = besides.map((file) => resolve(file))
  }

  /** The paths of data files, in order. Waits a moment for those that are missing: editors save in more than one step. */
  async list(expected: readonly string[] = []): Promise<readonly string[]> {
    let paths = await this.#listOnce()
    for (const wait of DELAYS_MS) {
      if (expected.every((path) => paths.includes(path))) break
      await sleep(wait)
      paths = await this.#listOnce()
    }
    return paths
  }

  /** Where a new resource is saved; undefined if a file of its name would not be served. */
  pathFor(resource: string): string | undefined {
    const name = `${resource}.json`
    const path = join(this.path, name)
    const isServed = !HIDDEN.test(name) && !isSettings(name) && !this.#besides.includes(path)
    return isServed && !/[<>:"/\\|?*]/.test(name) ? path : undefined
  }

  async #listOnce(): Promise<readonly string[]> {
    const besides = new Set([...this.#besides, ...(await Promise.all(this.#besides.map(fileAt)))])
    const files: string[] = []
    const settings: string[] = []
    const ignored: string[] = []
    const names = (await readdir(this.path)).filter((name) => !HIDDEN.test(name)).sort()
    const ids = await Promise.all(names.map((name) => fileAt(join(this.path, name))))
    for (const [at, name] of names.entries()) {
      const path = join(this.path, name)
      const id = ids[at]
      if (id === undefined || besides.has(path) || besides.has(id)) continue
      if (!formatOf(name)) ignored.push(name)
      else if (isSettings(name)) settings.push(name)
      else files.push(path)
    }
    const others = ignored.length > 5 ? [...ignored.slice(0, 5), '…'] : ignored
    this.remarks = [
      ...(files.length > 0 ? [] : ['There are no data files in the folder yet.']),
      ...(settings.length > 0
        ? [`Not served, as settings of programs: ${settings.join(', ')}. To serve one, name it as a file.`]
        : []),
      ...(others.length > 0 ? [`Ignored, as no data files: ${others.join(', ')}.`] : []),
    ]
    return files
  }
}

function isSettings(name: string): boolean {
  return SETTINGS.some((names) => names.test(name))
}

/** Which file is there, by whatever name. Follows links. What cannot be looked at is gone, or a broken link. */
async function fileAt(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  return stats?.isFile() ? `${stats.dev} ${stats.ino}` : undefined
}
