import type { ZodMiniType } from 'zod/mini'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../core/kernel/json/values.ts'
import { LAYER_SETTINGS, type LayerOptions } from '../core/layers/list.ts'
import { type Defined, SETTING_DOCS, type SettingDocs } from '../core/layers/parts/setting.ts'
import { faultOfShapes } from '../wings/shapes/shape-settings.ts'
import type { AllSettings, BaseSettings, CompleteSettings } from './config-schema.ts'
import { describeIssue } from './describe-issue.ts'
import { nearest, toCamelCase } from './spelling.ts'

type Reshaped = keyof typeof LAYER_SETTINGS | '$schema' | 'delay' | 'https' | 'ssl'

/** Settings as the config has them. */
export type InEffect<T> = {
  readonly [K in keyof T as Exclude<K, Reshaped>]: Defined<Exclude<T[K], undefined>>
}

/** The settings in effect, without those of features: checked, complete, frozen. */
export interface BaseConfig extends InEffect<CompleteSettings> {
  /** Milliseconds before each response; 0 for none, or if the delay layer waits, whose range is in `layers.delay`. */
  readonly delay: number
  readonly https: boolean
  readonly ssl?: { readonly cert: string; readonly key: string }
  readonly layers: LayerOptions
}

/** Checks settings and fills in the defaults. Throws a one-line ConfigError: key, remedy. */
export function completeConfig(all: AllSettings, raw: unknown): BaseConfig {
  const checked = check(all, inCamelCase(raw, all), raw)
  const { $schema, delay, https, ssl, ...settings } = dataIn(all, checked) ? onlyExamples(checked) : checked
  const { middlewares, resources } = settings
  checkSignIn(middlewares, resources)
  const pair = certificatePair(ssl)
  const { wait, range } = delayOf(delay, middlewares.includes('delay'))
  const isOfLayer = ([key]: readonly [string, unknown]) => Object.hasOwn(LAYER_SETTINGS, key)
  const entries = Object.entries(settings)
  const config = {
    ...Object.fromEntries(entries.filter((entry) => !isOfLayer(entry))),
    delay: wait,
    https: https ?? pair !== undefined,
    ssl: pair,
    layers: { ...Object.fromEntries(entries.filter(isOfLayer)), delay: range },
  }
  return frozenCopy(config) as BaseConfig
}

/** Beside examples, settings for data of one's own, and for what goes with that, mean nothing. */
function onlyExamples(settings: CompleteSettings): CompleteSettings {
  const { source, seed, snapshots, resources, shape, wrap, accounts, middlewares, ...others } = settings
  return {
    ...others,
    ...{ id: 'id', foreignKeySuffix: '_id', sessions: false, logic: false },
    middlewares: middlewares.filter((entry) => entry !== 'accounts'),
  }
}

/** Checks settings in either spelling and returns them in camelCase, without defaults. */
export function checkSettings(all: AllSettings, raw: unknown): BaseSettings {
  const settings = inCamelCase(raw, all)
  const checked = Object.entries(check(all, settings, raw))
  return Object.fromEntries(checked.filter(([key]) => Reflect.get(Object(settings), key) !== undefined))
}

/** Merges settings; `over` wins, key by key within some: `--cert` may go with `ssl.key` in a file. */
export function merged(all: AllSettings, base: object, over: object): object {
  const both = docsIn(all).flatMap(([name, docs]) => {
    const [old, next]: unknown[] = [Reflect.get(base, name), Reflect.get(over, name)]
    return docs?.isMerged && isObject(old) && isObject(next) ? [[name, { ...old, ...next }] as const] : []
  })
  return { ...base, ...over, ...Object.fromEntries(both) }
}

/** In words, the data that a setting serves in place of the source. */
export function dataIn(all: AllSettings, settings: object): string | undefined {
  const [shown] = docsIn(all).flatMap(([name, docs]) => {
    const value: unknown = Reflect.get(settings, name)
    return value === undefined ? [] : (docs?.dataOf?.(value) ?? [])
  })
  return shown
}

function docsIn({ schema }: AllSettings): readonly (readonly [string, SettingDocs | undefined])[] {
  const settings: readonly (readonly [string, ZodMiniType])[] = Object.entries(schema.shape)
  return settings.map(([name, type]) => [name, SETTING_DOCS.get(type)])
}

function check({ schema }: AllSettings, settings: unknown, raw: unknown): CompleteSettings {
  const { data, error } = schema.safeParse(settings)
  const [issue] = error?.issues ?? []
  const fault = data ? faultOfShapes(data, nearest) : issue && describeIssue(issue, raw, schema)
  if (data && fault === undefined) return data
  throw new ConfigError(fault ?? 'the settings cannot be read.')
}

/** Renames kebab-case keys down to `depth` levels: deeper keys are data, such as API keys. */
function inCamelCase(value: unknown, all: AllSettings, depth = 1): unknown {
  if (!isObject(value)) return value
  const named = docsIn(all).flatMap(([name, docs]) => (docs?.hasNames ? [name] : []))
  const seen = new Map<string, string>()
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = toCamelCase(key)
    const duplicate = seen.get(name)
    if (duplicate !== undefined)
      throw new ConfigError(`"${duplicate}" and "${key}" are the same setting. Keep one of them.`)
    seen.set(name, key)
    return [name, depth > 0 && !named.includes(name) ? inCamelCase(inner, all, depth - 1) : inner]
  })
  return Object.fromEntries(entries)
}

/** Requests wait only once: in the delay layer if it is listed, for a range or a number. */
function delayOf(delay: BaseSettings['delay'], isListed: boolean) {
  if (typeof delay !== 'number') return { wait: 0, range: delay }
  return isListed ? { wait: 0, range: { min: delay, max: delay } } : { wait: delay, range: undefined }
}

function certificatePair({ cert, key }: BaseSettings['ssl'] = {}): BaseConfig['ssl'] {
  if (cert !== undefined && key !== undefined) return { cert, key }
  if (cert === undefined && key === undefined) return undefined
  const [present, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key']
  throw new ConfigError(
    `"ssl.${present}" needs "ssl.${missing}" as well. ` +
      'Set both (flags --cert and --key), or neither for a self-signed certificate.',
  )
}

/** Refuses two layers that log users in, and rules about users without one. */
function checkSignIn(middlewares: readonly string[], resources: BaseSettings['resources']): void {
  if (middlewares.filter((entry) => entry === 'accounts').length > 1) {
    throw new ConfigError('"middlewares" lists "accounts" twice. Keep one of them.')
  }
  const hasAccounts = middlewares.includes('accounts')
  if (hasAccounts && middlewares.includes('jwt')) {
    throw new ConfigError(
      '"middlewares" lists both "jwt" and "accounts", and each logs users in its own way. Keep one of them.',
    )
  }
  if (hasAccounts) return
  for (const [name, settings] of Object.entries(resources ?? {})) {
    const setting = ['access', 'owner'].find((key) => Object.hasOwn(settings, key))
    if (setting === undefined) continue
    throw new ConfigError(
      `"resources.${name}.${setting}" needs users to tell apart. Add "accounts" to "middlewares".`,
    )
  }
}

/** Without undefined values. A copy: programs may go on changing the options they passed. */
function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy))
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.freeze(Object.fromEntries(entries.map(([key, inner]) => [key, frozenCopy(inner)])))
}
