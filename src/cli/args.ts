import yargs from 'yargs'
import type { Settings, TransferOptions } from '../index.ts'
import {
  ConfigError,
  isDataFile,
  nearest,
  parseSettings,
  SETTING_FLAGS,
  shownSource,
  toCamelCase,
  toKebabCase,
} from '../internals.ts'
import { DESCRIPTION, FLAGS, type Flag, GROW_SEED, OUT, TRANSFER, yargsOption } from './flags.ts'

export type Command =
  | { readonly kind: 'help'; readonly of?: Documented | 'all' }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'start' } & Configured)
  | ({ readonly kind: 'transfer'; readonly to: string; readonly options: TransferOptions } & (
      | {
          readonly way: 'import'
          readonly from: string | readonly string[]
          readonly description: DescriptionFlags
        }
      | { readonly way: 'export'; readonly from: string }
    ))
  | ({
      readonly kind: 'describe'
      readonly what: Description
      readonly out?: string | undefined
    } & Configured)
  | ({ readonly kind: 'grow' } & Configured & Growing)

/** Flags for an API description, as `importDescription` takes them. */
interface DescriptionFlags {
  readonly only: string | undefined
  readonly rows: number | undefined
  readonly seed: number | undefined
  readonly config: string | undefined
  readonly merge: boolean
  readonly dryRun: boolean
  readonly strict: boolean
  readonly json: boolean
}

/** As `growData` takes it. */
interface Growing {
  readonly counts: Readonly<Record<string, number>>
  readonly seed?: number | undefined
  readonly out?: string | undefined
}

interface Configured {
  readonly settings: Settings
  readonly config?: string | undefined
}

/** Commands besides serving. No source can have such a name: one without an extension is refused. */
export type Description = 'types' | 'openapi'
type Way = 'import' | 'export'
export type Documented = Description | Way | 'grow'

const COMMANDS: readonly Documented[] = ['types', 'openapi', 'grow', 'import', 'export']

type Values = Readonly<Record<string, unknown>>

export function parseArgs(argv: readonly string[]): Command {
  const values: Values = yargs([...argv].map(spellOut))
    .help(false)
    .version(false)
    .options(
      Object.fromEntries(
        [...DESCRIPTION, ...FLAGS, OUT, ...TRANSFER].map((flag) => [flag.name, yargsOption(flag)]),
      ),
    )
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
  const command = way ?? what ?? (word === 'grow' ? word : undefined)
  if (values.help === true && command !== undefined) return { kind: 'help', of: command }
  if (way) return transferFrom(way, others, values)
  if (command === 'grow') return growFrom(others, values)
  const isHelp = values.help === true || word === 'help'
  if (isHelp && (word === 'all' || others.at(-1) === 'all')) return { kind: 'help', of: 'all' }
  if (values.help === true || (word === 'help' && others.length === 0)) return { kind: 'help' }
  if (values.version === true || (word === 'version' && others.length === 0)) return { kind: 'version' }
  // First: its flags would be unknown.
  if (what === undefined && others.length > 0) refuseMisspelled(word)
  refuseUnknown(values, what === undefined ? FLAGS : [...FLAGS, OUT])
  const rest = { settings: settingsFrom(values), config: named(values, 'config') }
  if (what === undefined) return { kind: 'start', ...rest }
  const out = named(values, 'out')
  if (out === undefined && rest.settings.watch) {
    const file = what === 'types' ? OUT.example : 'openapi.json'
    throw new ConfigError(
      `--watch needs a file to write. For example: restable ${what} --out ${file} --watch`,
    )
  }
  return { kind: 'describe', what, ...rest, out }
}

function transferFrom(way: Way, words: readonly string[], values: Values): Command {
  refuseUnknown(values, [...FLAGS, ...TRANSFER, ...(way === 'import' ? DESCRIPTION : [])])
  const [from, ...more] = words
  const to = more.pop()
  if (from === undefined || to === undefined || (way === 'export' && more.length > 0)) {
    const [first, second] = way === 'import' ? ['db.json', 'postgres://…'] : ['postgres://…', 'db.json']
    throw new ConfigError(`${way} needs two names. Write: restable ${way} ${first} ${second}`)
  }
  const options = {
    schema: named(values, 'schema'),
    replace: values.replace === undefined ? undefined : last(values.replace) === true,
  }
  if (way === 'export') return { kind: 'transfer', way, from, to, options }
  const description = descriptionFrom(values)
  return { kind: 'transfer', way, from: more.length === 0 ? from : [from, ...more], to, options, description }
}

function descriptionFrom(values: Values): DescriptionFlags {
  const read = (name: string) => {
    const flag = DESCRIPTION.find((each) => each.name === name)
    return flag && readFlag(flag, values[name])
  }
  const [only, rows, seed] = [read('only'), read('rows'), read('seed')]
  return {
    only: typeof only === 'string' ? only : undefined,
    rows: typeof rows === 'number' ? rows : undefined,
    seed: typeof seed === 'number' ? seed : undefined,
    config: named(values, 'config'),
    merge: read('merge') === true,
    dryRun: read('dry-run') === true,
    strict: read('strict') === true,
    json: read('json') === true,
  }
}

const GROW_EXAMPLE = 'restable grow db.json products=500'

function growFrom(words: readonly string[], values: Values): Command {
  refuseUnknown(values, [...FLAGS, OUT])
  const counts: Record<string, number> = {}
  for (const word of words.filter((each) => each.includes('='))) {
    const [, name = '', count = ''] = /^(.*)=(.*)$/s.exec(word) ?? []
    if (!/^[1-9]\d{0,8}$/.test(count)) {
      throw new ConfigError(`grow: ${name}= must be followed by a number of rows. Write: ${GROW_EXAMPLE}`)
    }
    counts[name] = Number(count)
  }
  if (Object.keys(counts).length === 0)
    throw new ConfigError(`grow: say how many rows. Write: ${GROW_EXAMPLE}`)
  const sources = words.filter((word) => !word.includes('='))
  const seed = readFlag(GROW_SEED, values.seed)
  return {
    kind: 'grow',
    settings: settingsFrom({ ...values, _: sources, seed: undefined }),
    counts,
    config: named(values, 'config'),
    seed: typeof seed === 'number' ? seed : undefined,
    out: named(values, 'out'),
  }
}

function settingsFrom(values: Values): Settings {
  const settings: Record<string, unknown> = {}
  for (const flag of SETTING_FLAGS) {
    const read = readFlag(flag, values[flag.name])
    if (read === undefined) continue
    const value = flag.isInverse ? !read : read
    const [key, option] = flag.path
    settings[key] = option === undefined ? value : { ...Object(settings[key]), [option]: value }
  }
  const source = sourceFrom(values, settings.middlewares)
  return parseSettings({ ...settings, ...(source !== undefined && { source }) })
}

/** Words before the source: our commands, and the subcommands that other programs require. */
const VERBS: ReadonlySet<string | undefined> = new Set(['serve', 'start', 'run', 'dev', 'types', 'openapi'])

function wordsOf({ _: words }: Values): readonly string[] {
  return Array.isArray(words) ? words.map(String) : []
}

/** A list flag consumes all following words, so in `-m auth.js db.json` the last is the source: data is not middleware. */
function sourceFrom(values: Values, middlewares: unknown): string | readonly string[] | undefined {
  const words = wordsOf(values)
  const [source, ...more] = VERBS.has(words[0]) ? words.slice(1) : words
  if (source !== undefined && more.length > 0) {
    if ([source, ...more].every(isDataFile)) return [source, ...more]
    throw new ConfigError(explainMore(source, more))
  }
  if (source !== undefined || !Array.isArray(middlewares)) return source
  const last = middlewares.findLastIndex((entry) => !isDataFile(String(entry)))
  const [first, ...others] = middlewares.splice(last + 1)
  return others.length === 0 ? first : [first, ...others]
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
    `Too many sources: ${all.join(' ')}. Only data files can be served together. For the rest, start ` +
    `another server: restable ${shownSource(next)} --port 3001`
  )
}

function refuseMisspelled(word = ''): void {
  const command = /^[a-z]+$/i.test(word) ? nearest(word, COMMANDS) : undefined
  if (command === undefined) return
  throw new ConfigError(
    `There is no command "${word}". Did you mean restable ${command}? See restable --help.`,
  )
}

function refuseUnknown(values: Values, flags: readonly Flag[]): void {
  const names = flags.flatMap(({ name, alias, also }) => [name, alias ?? [], also ?? []].flat())
  const known = new Set([...names, ...names.map(toCamelCase), ...names.map(toKebabCase), '_', '$0'])
  const unknown = Object.keys(values).find((name) => !known.has(name))
  if (unknown === undefined) return
  const elsewhere = ELSEWHERE[unknown]
  if (elsewhere !== undefined) throw new ConfigError(`--${unknown} is a flag of restable ${elsewhere}`)
  const long = names.filter((name) => name.length > 1)
  const near = nearest(unknown, long)
  const dashes = unknown.length === 1 ? '-' : '--'
  throw new ConfigError(
    `Unknown flag ${dashes}${unknown}. ${near === undefined ? 'See restable --help.' : `Did you mean --${near}?`}`,
  )
}

const ELSEWHERE: Readonly<Record<string, string>> = {
  schema: 'import and export. To serve one, name it in the address: postgres://…/database?schema=team_a',
  replace: 'import and export.',
  ...Object.fromEntries(['merge', 'dry-run', 'only', 'rows', 'json'].map((name) => [name, 'import.'])),
}

function readFlag(flag: Flag, value: unknown): unknown {
  const { name, list, max, choices, example } = flag
  if (value === undefined) return undefined
  // yargs makes an array of a repeated flag; the last one wins.
  if (flag.isSwitch) return last(value) === true
  if (list === 'spaces') {
    if (Array.isArray(value) && value.length > 0) return value.map(String)
    throw new ConfigError(`--${name} needs at least one value. For example: --${name} ${example}`)
  }
  if (list === 'repeated' && Array.isArray(value)) return value.map((one) => textOf(flag, one))
  const text = textOf(flag, last(value))
  // Not by spaces: they would take the source for one of them.
  if (list === 'commas') return text.split(',').flatMap((word) => word.trim() || [])
  if (max !== undefined && (!/^\d{1,10}$/.test(text) || Number(text) > max)) {
    throw wrong(flag, `a whole number from 0 to ${max}`, text)
  }
  if (choices && !choices.includes(text)) throw wrong(flag, choices.join(' or '), text)
  return max === undefined ? text : Number(text)
}

function wrong({ name, example }: Flag, must: string, text: string): ConfigError {
  return new ConfigError(`--${name} must be ${must}, not "${text}". For example: --${name} ${example}`)
}

function textOf({ name, example, isBare = false }: Flag, value: unknown): string {
  if (typeof value === 'string' && (value !== '' || isBare)) return value
  throw new ConfigError(`--${name} needs a value. For example: --${name} ${example}`)
}

function named(values: Values, name: string): string | undefined {
  const flag = [...FLAGS, OUT, ...TRANSFER].find((each) => each.name === name)
  return flag && values[name] !== undefined ? textOf(flag, last(values[name])) : undefined
}

function last(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value
}

/** `--no-watch` turns off what a config file turned on. To yargs, any value of a switch but `true` is false. */
function spellOut(word: string): string {
  const [, given = '', value] = /^--?([\w-]+)=(.*)$/s.exec(word) ?? []
  const key = toKebabCase(given)
  const flag = [...FLAGS, ...TRANSFER, ...DESCRIPTION].find(({ name, alias, also }) =>
    [name, alias, also].includes(key),
  )
  if (flag?.isSwitch && value !== 'true' && value !== 'false')
    throw new ConfigError(`--${flag.name} must be true or false, not "${value}". For example: --${flag.name}`)
  const name = /^--no-(.+)$/.exec(word)?.[1] ?? ''
  const isSwitch = FLAGS.some((flag) => flag.isSwitch && [flag.name, flag.also].includes(name))
  return isSwitch ? `--${name}=false` : word
}
