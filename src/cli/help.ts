import { FLAGS, type Flag } from './flags.ts'

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
    '        exports data or a function, or an http(s) URL',
    '',
    ...groups.flatMap((group) => [...group, '']),
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

function line({ name, alias, also, value, help }: Flag): string {
  const short = alias === undefined ? '' : alias.length === 1 ? `-${alias},` : `--${alias},`
  const long = [name, also].filter((one) => one !== undefined).map((one) => `--${one}`)
  const left = `  ${short.padEnd(6)} ${long.join(', ')}${value === undefined ? '' : ` ${value}`}`
  return `${left.padEnd(33)} ${help}`
}
