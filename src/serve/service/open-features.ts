import type { Engine } from '../../core/engine/engine.ts'
import type { RewriteRules, RewriteUrl } from '../../core/kernel/http/request-url.ts'
import type { Feed } from '../../core/kernel/util/feed.ts'
import type { PasswordHasherOf } from '../../core/router/context.ts'
import type { Beginnings } from '../../features/beginnings.ts'
import type { Feature, Generation, LoadedData, MountedFeature, OpenFeature } from '../../features/feature.ts'
import type { Config } from '../../features/settings.ts'
import { ONLY_BASE, type Worlds, type WorldsHost } from '../../features/worlds.ts'

/** The features of a service. */
export class OpenFeatures {
  readonly #all: readonly { readonly feature: Feature; readonly opened: OpenFeature }[]
  readonly #worlds: { readonly feature: Feature; readonly worlds: Worlds } | undefined

  constructor(features: readonly Feature[], host: WorldsHost) {
    this.#all = features.map((feature) => ({ feature, opened: feature.open() }))
    const [first] = this.#all.flatMap(({ feature, opened }) => {
      const worlds = opened.worlds?.(host)
      return worlds ? { feature, worlds } : []
    })
    this.#worlds = first
  }

  /** The worlds beside the base, also while a config turns them off. */
  get worlds(): Worlds {
    return this.#worlds?.worlds ?? ONLY_BASE
  }

  worldsUnder(config: Config): Worlds {
    return this.#worlds?.feature.isOn?.(config) === false ? ONLY_BASE : this.worlds
  }

  async beginningsUnder(config: Config): Promise<Beginnings | undefined> {
    const [first] = this.#all.flatMap(({ opened }) => opened.beginnings?.(config) ?? [])
    return first
  }

  sealOf(config: Config): PasswordHasherOf | undefined {
    const [seal] = this.#all.flatMap(({ feature }) => feature.sealOf?.(config) ?? [])
    return seal
  }

  rewriteBy(rules: RewriteRules): RewriteUrl {
    const [first] = this.#all.flatMap(({ feature }) => feature.rewriteBy ?? [])
    return first?.(rules) ?? ((url) => url)
  }

  /** Tells of the data of a world. */
  serve(engine: Engine, feed: Feed): void {
    for (const { opened } of this.#all) opened.serves?.(engine, feed)
  }

  /** The features under a config. @param old what the config before it had */
  under(now: Generation, old: readonly MountedFeature[] = []): readonly MountedFeature[] {
    return this.#all.map(({ feature, opened }, at) => {
      const active = opened.under(now, old[at]?.active)
      return { feature, isOn: feature.isOn?.(now.config) ?? true, active }
    })
  }

  async tellLoaded(now: Generation, data: LoadedData): Promise<void> {
    for (const { opened } of this.#all) await opened.loaded?.(now, data)
  }

  async tellSettled(now: Generation, data: LoadedData): Promise<void> {
    for (const { opened } of this.#all) await opened.settled?.(now, data)
  }

  /** Ends requests that would stay open. */
  close(): void {
    this.worlds.endAll()
    for (const { opened } of this.#all) opened.close?.()
  }
}
