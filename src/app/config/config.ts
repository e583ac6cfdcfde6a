import { ConfigError } from '../../errors.ts'
import type { FaultSettings } from '../../faults-info.ts'
import type { ResourcesSettings } from '../../resources/resource-settings.ts'
import { type Settings, settingsSchema } from './config-schema.ts'
import { describeIssue } from './describe-issue.ts'
import { checkSignIn } from './sign-in.ts'
import { toCamelCase } from './spelling.ts'

/** Names that `middlewares` accepts besides files. */
export const BUILT_IN_LAYERS = [
  ...(['cors', 'delay', 'logger', 'api-key', 'bearer', 'jwt', 'accounts', 'rate-limit'] as const),
] as const

export type BuiltInLayer = (typeof BUILT_IN_LAYERS)[number]

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

type LayerKey = 'cors' | 'logger' | 'apiKey' | 'bearer' | 'jwt' | 'accounts' | 'rateLimit'

/** Options of the built-in layers, each under the layer's name in camelCase. */
export type LayerOptions = Readonly<
  { [K in LayerKey]?: Given<NonNullable<Settings[K]>> } & {
    delay?: Given<Exclude<NonNullable<Settings['delay']>, number>>
  }
>

/** The settings in effect: checked, complete, frozen. */
export interface Config {
  readonly source?: string
  readonly seed?: string
  /** False: changes stay in memory. */
  readonly persist: boolean
  readonly port: number
  readonly host: string
  readonly watch: boolean
  readonly quiet: boolean
  readonly noCors: boolean
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly trustedOrigins?: readonly string[]
  readonly trustedProxies?: readonly string[]
  /** False turns sessions off. What is not set has its default. */
  readonly sessions?: false | { readonly max?: number; readonly idleMs?: number; readonly bytes?: number }
  readonly noGzip: boolean
  readonly readOnly: boolean
  /** Milliseconds before each response; 0 for none, or if the delay layer waits, whose range is in `layers.delay`. */
  readonly delay: number
  readonly faults?: FaultSettings
  readonly noFaults: boolean
  readonly static?: string | readonly string[]
  readonly snapshots?: string
  /** What reads from a database see: all that was written, or what this server heard of. */
  readonly reads?: 'current' | 'near'
  readonly routes?: string
  readonly middlewares: readonly string[]
  readonly id: string
  readonly foreignKeySuffix: string
  readonly bodyParser: boolean
  readonly cascade: boolean
  readonly upsert: boolean
  readonly strict: boolean
  readonly resources?: ResourcesSettings
  readonly https: boolean
  /** Without it, HTTPS uses a self-signed certificate. */
  readonly ssl?: { readonly cert: string; readonly key: string }
  readonly hosted?: { readonly variant: 'public' | 'private'; readonly key?: string }
  readonly layers: LayerOptions
}

/** Checks settings and fills in the defaults. Throws a one-line error: file (if given), key, remedy. */
export function resolveConfig(raw: unknown, file?: string): Config {
  const {
    $schema,
    cors,
    logger,
    apiKey,
    bearer,
    jwt,
    accounts,
    rateLimit,
    delay,
    ssl,
    hosted,
    resources,
    sessions,
    ...plain
  } = parseSettings(raw, file)
  const pair = certificatePair(ssl, file)
  checkSignIn(plain.middlewares ?? [], resources, file)
  const { wait, range } = delayOf(delay, plain.middlewares?.includes('delay') ?? false)
  return deepFreeze({
    persist: true,
    port: 3000,
    host: 'localhost',
    watch: false,
    quiet: false,
    noCors: false,
    noGzip: false,
    readOnly: false,
    noFaults: false,
    middlewares: [],
    id: 'id',
    foreignKeySuffix: 'Id',
    bodyParser: true,
    cascade: false,
    upsert: false,
    strict: false,
    https: pair !== undefined,
    ...defined(plain),
    delay: wait,
    ...defined({
      ssl: pair,
      hosted: hosted && hostedVariant(hosted),
      // A program's schemas stay its own.
      resources: resources && JSON.parse(JSON.stringify(resources)),
      sessions: sessions && defined(sessions),
    }),
    ...(sessions === false && { sessions }),
    layers: defined({
      cors: cors && defined(cors),
      delay: range && defined(range),
      logger: logger && defined(logger),
      apiKey: apiKey && defined(apiKey),
      bearer: bearer && defined(bearer),
      jwt: jwt && defined(jwt),
      accounts: accounts && defined(accounts),
      rateLimit: rateLimit && defined(rateLimit),
    }),
  })
}

/** Checks settings in either spelling and returns them in camelCase, without defaults. */
export function parseSettings(raw: unknown, file?: string): Settings {
  const fail = (fault: string): never => {
    throw new ConfigError(file === undefined ? fault : `${file}: ${fault}`)
  }
  const result = settingsSchema.safeParse(inCamelCase(raw, fail, 1))
  if (result.success) return defined(result.data)
  const [issue] = result.error.issues
  return fail(issue === undefined ? 'the settings cannot be read.' : describeIssue(issue, raw))
}

/** Merges settings; `over` wins, key by key within `ssl` and `hosted`: `--cert` may go with `ssl.key` in a file. */
export function mergeSettings(base: Settings, over: Settings): Settings {
  return {
    ...base,
    ...over,
    ...defined({
      ssl: base.ssl && over.ssl && { ...base.ssl, ...over.ssl },
      hosted: base.hosted && over.hosted && { ...base.hosted, ...over.hosted },
    }),
  }
}

/** Renames kebab-case keys down to `depth` levels: deeper keys are data, such as API keys. */
function inCamelCase(value: unknown, fail: (fault: string) => never, depth: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const seen = new Map<string, string>()
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = toCamelCase(key)
    const twin = seen.get(name)
    if (twin !== undefined) fail(`"${twin}" and "${key}" are the same setting. Keep one of them.`)
    seen.set(name, key)
    // The keys of `resources` are names in the data.
    return [name, depth > 0 && name !== 'resources' ? inCamelCase(inner, fail, depth - 1) : inner]
  })
  return Object.fromEntries(entries)
}

/** Requests wait only once: in the delay layer if it is listed, whether given a range or a number. */
function delayOf(delay: Settings['delay'], isListed: boolean) {
  if (typeof delay !== 'number') return { wait: 0, range: delay }
  return isListed ? { wait: 0, range: { min: delay, max: delay } } : { wait: delay, range: undefined }
}

function certificatePair(ssl: Settings['ssl'], file: string | undefined): Config['ssl'] {
  const { cert, key } = ssl ?? {}
  if (cert !== undefined && key !== undefined) return { cert, key }
  if (cert === undefined && key === undefined) return undefined
  const [present, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key']
  throw new ConfigError(
    `${file === undefined ? '' : `${file}: `}"ssl.${present}" needs "ssl.${missing}" as well. ` +
      'Set both (flags --cert and --key), or neither for a self-signed certificate.',
  )
}

function hostedVariant({ variant, key }: NonNullable<Settings['hosted']>): NonNullable<Config['hosted']> {
  return { variant: variant ?? (key === undefined ? 'public' : 'private'), ...defined({ key }) }
}

/** Drops undefined values, so that a spread cannot overwrite a default with one. */
function defined<T extends object>(value: T): Given<T> {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries) as Given<T>
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}
