import { usersIn } from '../../config/resource-config.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import type { Config } from '../settings.ts'
import { MODES, type Mode } from './settings.ts'

/** Who answers, for all resources and for single ones. Changes while the server runs, in each session apart. */
export class Modes {
  mode: Mode
  resources: Readonly<Record<string, Mode>>
  readonly #initial: { readonly mode: Mode; readonly resources: Readonly<Record<string, Mode>> }
  readonly #guarded: ReadonlySet<string>

  private constructor(mode: Mode, resources: Readonly<Record<string, Mode>>, guarded: ReadonlySet<string>) {
    this.mode = mode
    this.resources = resources
    this.#initial = { mode, resources }
    this.#guarded = guarded
  }

  static of(config: Config): Modes {
    const { proxy } = config
    const guarded = guardedIn(config)
    const { mode = proxy ? 'missing' : 'local', resources = {} } = proxy ?? {}
    refuseGuarded(resources, guarded, 'proxy.resources')
    return new Modes(mode, resources, guarded)
  }

  fork(): Modes {
    return new Modes(this.mode, this.resources, this.#guarded)
  }

  /** @param resource undefined for a path that ends in none */
  of(resource: string | undefined): Mode {
    if (resource === undefined) return this.mode
    if (this.isGuarded(resource)) return 'local'
    return Object.hasOwn(this.resources, resource) ? (this.resources[resource] ?? this.mode) : this.mode
  }

  isGuarded(resource: string | undefined): boolean {
    return resource !== undefined && this.#guarded.has(resource)
  }

  /** Changes what a client sent. Throws a `ConfigError`, and then nothing was changed. */
  change(sent: unknown): void {
    const { mode = this.mode, resources = this.resources, ...others } = isObject(sent) ? sent : {}
    const isKnown = isObject(sent) && Object.keys(others).length === 0 && isMode(mode) && areModes(resources)
    if (!isKnown)
      throw new ConfigError(
        `Send {"mode": …, "resources": {"orders": …}}, either or both. A mode is one of ${MODES.join(', ')}.`,
      )
    refuseGuarded(resources, this.#guarded, 'resources')
    this.mode = mode
    this.resources = resources
  }

  reset(): void {
    Object.assign(this, this.#initial)
  }
}

/** Resources whose rows not everybody may see: with accounts, only the data answers for them. */
function guardedIn(config: Config): ReadonlySet<string> {
  const users = usersIn(config)
  if (users === undefined) return new Set()
  const ruled = Object.entries(config.resources ?? {}).filter(([, { access, owner }]) => access ?? owner)
  return new Set([users, ...ruled.map(([name]) => name)])
}

function refuseGuarded(
  resources: Readonly<Record<string, Mode>>,
  guarded: ReadonlySet<string>,
  key: string,
): void {
  const [name] = Object.entries(resources).find(([name, mode]) => mode !== 'local' && guarded.has(name)) ?? []
  if (name === undefined) return
  throw new ConfigError(`"${key}.${name}" must be "local": its access rules hold for the data alone.`)
}

function isMode(value: unknown): value is Mode {
  return MODES.some((mode) => mode === value)
}

function areModes(value: unknown): value is Readonly<Record<string, Mode>> {
  return isObject(value) && Object.values(value).every(isMode)
}
