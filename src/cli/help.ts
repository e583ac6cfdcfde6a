import type { Description, Way } from './args.ts'
import { FLAGS, type Flag, OUT, TRANSFER } from './flags.ts'

const GROUPS = ['Server', 'Data', 'Requests', 'HTTPS', 'Other'] as const

/** The text of `--help`: at most 80 columns, `bold` marks the headings. */
export function help(bold: (text: string) => string = (text) => text): string {
  const groups = GROUPS.map((group) => [
    bold(group),
    ...FLAGS.filter((flag) => flag.group === group).map(line),
  ])
  return [
    'restable [source] [flags]    A full mock REST API from a JSON file',
    '',
    `${bold('Source')}  a .json file (created when missing), a .js, .cjs, .mjs or .ts file that`,
    '        exports data or a function, an http(s) URL, or a postgres:// database',
    '',
    ...groups.flatMap((group) => [...group, '']),
    bold('Commands'),
    '  restable types [source] --out FILE      TypeScript types of the data',
    '  restable openapi [source] --out FILE    OpenAPI document of the API',
    '  restable import FILE postgres://…       put the data of a file into a database',
    '  restable export postgres://… FILE       and back (--schema NAME, --replace)',
    '',
    bold('Examples'),
    '  restable db.json                        serve a file on http://localhost:3000',
    '  restable db.json --watch --port 3001    reload on change, another port',
    '  restable db.json -r routes.json -m cors delay ./auth.js',
    '  restable data.js --ssl                  generated data over HTTPS',
    '  restable http://example.com/db.json     a copy of the data at a URL',
    '',
    'Each flag is also a key of restable.config.json, json-server.config.json or',
    '"restable" in package.json; flags win.',
  ].join('\n')
}

export function helpOf(what: Description | Way, bold: (text: string) => string = (text) => text): string {
  if (what === 'import' || what === 'export') return helpOfWay(what, bold)
  const { title, file, about } = DESCRIPTIONS[what]
  const flags = FLAGS.filter(({ name }) => USEFUL.includes(name))
  return [
    `restable ${what} [source] [flags]    ${title}`,
    '',
    ...about,
    '',
    bold('Flags'),
    ...[OUT, ...flags].map(line),
    '',
    bold('Examples'),
    `  restable ${what} db.json --out ${file}`,
    `  restable ${what} --out ${file} --watch    again whenever a file changes`,
    '',
    'All other flags of restable, and its config file, count too: what is',
    'described is the server that they would start.',
  ].join('\n')
}

function helpOfWay(way: Way, bold: (text: string) => string): string {
  const { ends, title, about, examples } = WAYS[way]
  const flags = FLAGS.filter(({ name }) => ['id', 'foreignKeySuffix', 'help'].includes(name))
  return [
    `restable ${way} ${ends} [flags]    ${title}`,
    '',
    ...about,
    '',
    bold('Flags'),
    ...[...TRANSFER, ...flags].map(line),
    '',
    bold('Examples'),
    ...examples.map((example) => `  ${example}`),
  ].join('\n')
}

const WAYS = {
  import: {
    ends: 'FILE postgres://…',
    title: 'Put a file into a database',
    about: [
      'All of it or, if anything fails or Ctrl+C is pressed, nothing. The file may be',
      'larger than memory; - reads it from standard input.',
    ],
    examples: [
      'restable import db.json postgres://user@host/database',
      'restable import db.json postgres://user@host/database --schema team_a',
      'gunzip -c db.json.gz | restable import - postgres://user@host/database',
    ],
  },
  export: {
    ends: 'postgres://… FILE',
    title: 'Write a database to a file',
    about: [
      'Everything as of one moment, as GET /db shows it, and the password hashes that',
      'it leaves out. The file is there as a whole or not at all; - writes to standard',
      'output.',
    ],
    examples: [
      'restable export postgres://user@host/database db.json',
      'restable export postgres://user@host/database db.json --replace',
      'restable export postgres://user@host/database - | gzip > db.json.gz',
    ],
  },
} as const

const USEFUL = ['watch', 'config', 'id', 'foreignKeySuffix', 'read-only', 'routes', 'quiet', 'help']

const DESCRIPTIONS = {
  types: {
    title: 'TypeScript types of the data',
    file: 'api.d.ts',
    about: [
      'For each resource the type of a row (Product) and of one to be sent',
      '(NewProduct), and a map from paths and methods to them (Paths).',
    ],
  },
  openapi: {
    title: 'OpenAPI 3.1 document of the API',
    file: 'openapi.json',
    about: [
      'Every path, parameter, header, error and guard that the server would have, with',
      'examples from the data. A running server has it at /__openapi.',
    ],
  },
} as const

function line({ name, alias, also, value, help }: Flag): string {
  const short = alias === undefined ? '' : alias.length === 1 ? `-${alias},` : `--${alias},`
  const long = [name, also].filter((one) => one !== undefined).map((one) => `--${one}`)
  const left = `  ${short.padEnd(6)} ${long.join(', ')}${value === undefined ? '' : ` ${value}`}`
  return `${left.padEnd(33)} ${help}`
}
