import yargs from 'yargs'
import { ConfigError, nearest, type Settings, shownSource, type TransferOptions } from '../index.ts'
import { FLAGS, type Flag, OUT, TRANSFER } from './flags.ts'

export type Command =
  | { readonly kind: 'help'; readonly of?: Description | Way }
  | { readonly kind: 'version' }
  | { readonly kind: 'start'; readonly settings: Settings; readonly config?: string }
  | {
      readonly kind: 'transfer'
      readonly way: Way
      readonly from: string
      readonly to: string
      readonly options: TransferOptions
    }
  | {
      readonly kind: 'describe'
      readonly what: Description
      readonly settings: Settings
      readonly config?: string
      /** The file to write; by default, the text is printed. */
      readonly out?: string
    }

/** Commands besides serving. No source can have such a name: one without an extension is refused. */
export type Description = 'types' | 'openapi'
/** Into a database, or out of one. */
export type Way = 'import' | 'export'

type Values = Readonly<Record<string, unknown>>

/** Parses the command line. Throws a one-line ConfigError that names the flag and the remedy. */
export function parseArgs(argv: readonly string[]): Command {
  const values: Values = yargs([...argv].map(spellOut))
    .help(false)
    .version(false)
    .options(Object.fromEntries([...FLAGS, OUT, ...TRANSFER].map((flag) => [flag.name, yargsOption(flag)])))
    .parserConfiguration({
      // `--no-cors` is a flag, not the negation of `--cors`.
      'boolean-negation': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .exitProcess(false)
    .parseSync()
  const [word, ...others] = wordsOf(values)
  const way = word === 'import' || word === 'export' ? word : undefined
  const what = word === 'types' || word === 'openapi' ? word : undefined
  const helped = way ?? what
  if (values.help === true && helped !== undefined) return { kind: 'help', of: helped }
  if (way) return transferFrom(way, others, values)
  if (values.help === true || (word === 'help' && others.length === 0)) return { kind: 'help' }
  if (values.version === true || (word === 'version' && others.length === 0)) return { kind: 'version' }
  refuseUnknown(values, what === undefined ? FLAGS : [...FLAGS, OUT])
  const config = text(values, 'config')
  const rest = { settings: settingsFrom(values), ...(config !== undefined && { config }) }
  if (what === undefined) return { kind: 'start', ...rest }
  const out = text(values, 'out')
  if (out === undefined && rest.settings.watch) {
    throw new ConfigError(
      `--watch needs a file to write. For example: restable ${what} --out ${OUT.example} --watch`,
    )
  }
  return { kind: 'describe', what, ...rest, ...(out !== undefined && { out }) }
}

function transferFrom(way: Way, words: readonly string[], values: Values): Command {
  refuseUnknown(values, [...FLAGS, ...TRANSFER])
  const [from, to, ...more] = words
  if (from === undefined || to === undefined || more.length > 0) {
    const [first, second] = way === 'import' ? ['db.json', 'postgres://…'] : ['postgres://…', 'db.json']
    throw new ConfigError(`${way} needs two names. Write: restable ${way} ${first} ${second}`)
  }
  const options = {
    schema: text(values, 'schema'),
    replace: onOff(values, 'replace'),
    id: text(values, 'id'),
    foreignKeySuffix: text(values, 'foreignKeySuffix'),
  }
  return { kind: 'transfer', way, from, to, options }
}

function settingsFrom(values: Values): Settings {
  const middlewares = list(values, 'middlewares')
  const source = sourceFrom(values, middlewares)
  const cert = text(values, 'cert')
  const key = text(values, 'key')
  const variant = hosted(text(values, 'hosted'))
  const isUnsaved = onOff(values, 'no-persist')
  const settings: Settings = {
    source,
    seed: text(values, 'seed'),
    persist: isUnsaved === undefined ? undefined : !isUnsaved,
    port: number(values, 'port'),
    host: text(values, 'host'),
    watch: onOff(values, 'watch'),
    quiet: onOff(values, 'quiet'),
    noCors: onOff(values, 'no-cors'),
    allowedHosts: words(values, 'allowed-hosts'),
    allowedOrigins: words(values, 'allowed-origins'),
    noGzip: onOff(values, 'no-gzip'),
    readOnly: onOff(values, 'read-only'),
    noFaults: onOff(values, 'no-faults'),
    delay: number(values, 'delay'),
    static: eachText(values, 'static'),
    snapshots: text(values, 'snapshots'),
    routes: text(values, 'routes'),
    middlewares,
    id: text(values, 'id'),
    foreignKeySuffix: text(values, 'foreignKeySuffix'),
    cascade: onOff(values, 'cascade'),
    https: onOff(values, 'ssl'),
    ssl: cert === undefined && key === undefined ? undefined : { ...(cert && { cert }), ...(key && { key }) },
    hosted: variant && { variant },
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** What stands before the source: our commands, and the subcommands that other programs require. */
const VERBS: ReadonlySet<string | undefined> = new Set(['serve', 'start', 'run', 'dev', 'types', 'openapi'])

function wordsOf({ _: words }: Values): readonly string[] {
  return Array.isArray(words) ? words.map(String) : []
}

/** A list flag consumes all following words, so in `-m auth.js db.json` the last is the source: JSON is not middleware. */
function sourceFrom(values: Values, middlewares: string[] | undefined): string | undefined {
  const words = wordsOf(values)
  const [source, ...more] = VERBS.has(words[0]) ? words.slice(1) : words
  if (source !== undefined && more.length > 0) throw new ConfigError(explainMore(source, more))
  if (source !== undefined || !middlewares?.at(-1)?.endsWith('.json')) return source
  return middlewares.pop()
}

function explainMore(source: string, more: readonly string[]): string {
  const [next = ''] = more
  const port = /^(?:port[=:])?(\d{1,5})$/.exec(next)?.[1]
  if (port !== undefined)
    return `"${next}" is not a source. For the port, write: restable ${shownSource(source)} --port ${port}`
  const [, name, value] = /^-?(\w+)=(.+)$/.exec(next) ?? []
  if (name !== undefined)
    return `"${next}" is not a source. For a flag, write: restable ${shownSource(source)} --${name} ${value}`
  const all = [source, ...more].map(shownSource)
  return (
    `Too many sources: ${all.join(' ')}. Put everything into one file, or start ` +
    `another server: restable ${shownSource(next)} --port 3001`
  )
}

function refuseUnknown(values: Values, flags: readonly Flag[]): void {
  const known = flags.flatMap(({ name, alias, also }) =>
    [name, alias, also].filter((one) => one !== undefined),
  )
  const camel = known.map((name) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()))
  const kebab = known.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  const fine = new Set([...known, ...camel, ...kebab, '_', '$0'])
  const unknown = Object.keys(values).find((name) => !fine.has(name))
  if (unknown === undefined) return
  const elsewhere = ELSEWHERE[unknown]
  if (elsewhere !== undefined) throw new ConfigError(`--${unknown} is a flag of restable ${elsewhere}`)
  const near = nearest(
    unknown,
    known.filter((name) => name.length > 1),
  )
  const dashes = unknown.length === 1 ? '-' : '--'
  throw new ConfigError(
    `Unknown flag ${dashes}${unknown}. ${near === undefined ? 'See restable --help.' : `Did you mean --${near}?`}`,
  )
}

/** Flags of other commands that one may try here, and what to do instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  schema: 'import and export. To serve one, name it in the address: postgres://…/database?schema=team_a',
  replace: 'import and export.',
}

function number(values: Values, name: string): number | undefined {
  const value = text(values, name)
  if (value === undefined) return undefined
  const { max = 0, example } = flagOf(name)
  if (!/^\d{1,10}$/.test(value) || Number(value) > max) {
    throw new ConfigError(
      `--${name} must be a whole number from 0 to ${max}, not "${value}". For example: --${name} ${example}`,
    )
  }
  return Number(value)
}

function text(values: Values, name: string): string | undefined {
  const value = last(values[name])
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw new ConfigError(`--${name} needs a value. For example: --${name} ${flagOf(name).example}`)
}

/** One text or, where the flag is repeated, all of them. */
function eachText(values: Values, name: string): string | string[] | undefined {
  const value = values[name]
  if (!Array.isArray(value)) return text(values, name)
  return value.flatMap((one) => text({ [name]: one }, name) ?? [])
}

function list(values: Values, name: string): string[] | undefined {
  const value = values[name]
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.length > 0) return value.map(String)
  throw new ConfigError(`--${name} needs at least one value. For example: --${name} ${flagOf(name).example}`)
}

/** Comma-separated: a space-separated list would consume the source. */
function words(values: Values, name: string): string[] | undefined {
  return text(values, name)
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

function onOff(values: Values, name: string): boolean | undefined {
  const value = last(values[name])
  return value === undefined ? undefined : value === true
}

/** yargs makes an array of a repeated flag; the last one wins. */
function last(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value
}

function hosted(word: string | undefined): 'public' | 'private' | undefined {
  if (word === undefined || word === 'public' || word === 'private') return word
  throw new ConfigError(`--hosted must be public or private, not "${word}". For example: --hosted public`)
}

function flagOf(name: string): Partial<Flag> {
  return [...FLAGS, OUT, ...TRANSFER].find((flag) => flag.name === name) ?? {}
}

/** `--no-watch` turns off what a config file turned on. */
function spellOut(word: string): string {
  const name = /^--no-(.+)$/.exec(word)?.[1] ?? ''
  const isSwitch = FLAGS.some((flag) => flag.type === 'on-off' && [flag.name, flag.also].includes(name))
  return isSwitch ? `--${name}=false` : word
}

function yargsOption({ alias, also, type }: Flag) {
  const names = [alias, also].filter((name) => name !== undefined)
  return {
    // An empty list would be an alias called "undefined" to yargs.
    ...(names.length > 0 && { alias: names }),
    ...(type === 'on-off' ? { boolean: true } : { string: true }),
    ...(type === 'list' && { array: true }),
  }
}
