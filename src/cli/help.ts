import yargs from 'yargs'
import type { Description, Documented } from './args.ts'
import { DESCRIPTION, FLAGS, type Flag, GROW_OUT, GROW_SEED, OUT, TRANSFER, yargsOption } from './flags.ts'

interface Page {
  readonly usage: string
  readonly about: string
  readonly flags: readonly Flag[]
  readonly examples: readonly (readonly [command: string, about: string])[]
  readonly epilogue?: string
}

/** Flags that `--help` shows; `--help all` has the others, too. */
const COMMON = [
  ...['port', 'host', 'watch', 'quiet'],
  ...['id', 'foreignKeySuffix', 'seed', 'no-persist', 'read-only'],
  ...['routes', 'middlewares', 'delay'],
  ...['config', 'help', 'version'],
]

const ALL: Page = {
  usage: '$0 [source] [flags]    A full mock REST API from a JSON file',
  about:
    'Source: a .json file (created when missing), .jsonc, .json5, .yaml, .csv or\n' +
    '.ndjson; several of them, or a folder; a .js, .cjs, .mjs or .ts file that\n' +
    'exports data or a function; an http(s) URL; or a postgres:// database',
  flags: FLAGS,
  examples: [
    ['$0 db.json', 'serve a file on http://localhost:3000'],
    ['$0 db.json -w -p 3001', 'reload on change, another port'],
    ['$0 data/', 'a resource per file: users.csv, …'],
    ['$0 db.json -m cors ./auth.js', 'a built-in layer, and your own'],
    ['$0 data.js --ssl', 'generated data over HTTPS'],
    ['$0 http://example.com/db.json', 'a copy of the data at a URL'],
  ],
  epilogue:
    'Each flag is also a key of restable.config.ts, .js, .mjs or .json,\n' +
    'json-server.config.json or "restable" in package.json; flags win.\n' +
    'restable COMMAND --help shows the flags of a command.',
}

const MAIN: Page = {
  ...ALL,
  flags: FLAGS.filter(({ name }) => COMMON.includes(name)),
  epilogue: `restable --help all shows the other flags.\n${ALL.epilogue}`,
}

const SERVED =
  'All other flags of restable, and its config file, count too: what is\n' +
  'described is the server that they would start.'

const DESCRIBING = [
  OUT,
  ...named('watch', 'config', 'id', 'foreignKeySuffix', 'read-only', 'routes', 'quiet'),
]

const COMMANDS: Readonly<Record<Documented, Page>> = {
  types: {
    usage: '$0 types [source] [flags]    TypeScript types of the data',
    about:
      'For each resource the type of a row (Product) and of one to be sent\n' +
      '(NewProduct), and a map from paths and methods to them (Paths).',
    flags: DESCRIBING,
    examples: describing('types', 'api.d.ts'),
    epilogue: SERVED,
  },
  openapi: {
    usage: '$0 openapi [source] [flags]    OpenAPI 3.1 document of the API',
    about:
      'Every path, parameter, header, error and guard that the server would have, with\n' +
      'examples from the data. A running server has it at /__openapi.',
    flags: DESCRIBING,
    examples: describing('openapi', 'openapi.json'),
    epilogue: SERVED,
  },
  grow: {
    usage: '$0 grow [source] NAME=COUNT… [flags]    Add rows like those that are there',
    about:
      'Values, dates, keys and texts are like those of the rows that are there, and fit\n' +
      'the schema. All rows are saved or, if anything fails, none. With @faker-js/faker\n' +
      'installed, texts are better. A running server does it with POST /__grow.',
    flags: [GROW_SEED, GROW_OUT, ...named('config', 'id', 'foreignKeySuffix', 'quiet')],
    examples: [
      ['$0 grow db.json products=500 companies=20', ''],
      ['$0 grow db.json posts=50 --seed 7', 'the same rows each time'],
      ['$0 grow data.js users=1000 --out db.json', ''],
    ],
  },
  import: {
    usage: '$0 import FILE… TO [flags]    An OpenAPI document becomes data, or data goes into a database',
    about:
      'An OpenAPI or Swagger document becomes a .json file, a folder or a database, with\n' +
      'a config and rewrite rules that serve what it says. Data files, or a folder, go\n' +
      'into a database; - reads JSON from standard input. All of it or, if anything fails\n' +
      'or Ctrl+C is pressed, nothing.',
    flags: [...TRANSFER, ...DESCRIPTION],
    examples: [
      ['$0 import openapi.yaml db.json --rows 20', ''],
      ['$0 import openapi.yaml - --dry-run', 'what would be used'],
      ['$0 import db.json postgres://user@host/database', ''],
      ['gunzip -c db.json.gz | $0 import - postgres://user@host/database', ''],
    ],
  },
  export: {
    usage: '$0 export postgres://… FILE [flags]    Write a database to a file',
    about:
      'Everything as of one moment, as GET /db shows it, and the password hashes that\n' +
      'it leaves out. The file is there as a whole or not at all; - writes to standard\n' +
      'output.',
    flags: TRANSFER,
    examples: [
      ['$0 export postgres://user@host/database db.json', ''],
      ['$0 export postgres://user@host/database - | gzip > db.json.gz', ''],
    ],
  },
}

export function help(of?: Documented | 'all'): Promise<string> {
  const { usage, about, flags, examples, epilogue = '' } = pageOf(of)
  const page = yargs([])
    .scriptName('restable')
    .locale('en')
    .wrap(80)
    .help(false)
    .version(false)
    .usage(`${usage}\n\n${about}`)
    .example(examples.map(([line, meaning]) => [line, meaning]))
    .epilogue(epilogue)
  for (const flag of flags) {
    const { name, group, choices } = flag
    page.option(name, { ...yargsOption(flag), group: `${group}:`, ...(choices && { choices }) })
  }
  for (const each of of === undefined || of === 'all' ? Object.values(COMMANDS) : []) {
    const [line = '', title = ''] = each.usage.replace(' [flags]', '').split('    ')
    page.command(line.replace('$0 ', ''), title)
  }
  return page.getHelp()
}

function pageOf(of: Documented | 'all' | undefined): Page {
  if (of === undefined) return MAIN
  return of === 'all' ? ALL : COMMANDS[of]
}

function describing(what: Description, file: string): Page['examples'] {
  return [
    [`$0 ${what} db.json --out ${file}`, ''],
    [`$0 ${what} -w -o ${file}`, 'again whenever a file changes'],
  ]
}

function named(...names: readonly string[]): readonly Flag[] {
  return FLAGS.filter(({ name }) => names.includes(name)).map((flag) => ({ ...flag, group: 'Flags' }))
}
