import { posix } from 'node:path'
import { readModule } from './read-module.ts'

/** A room of src/ and the doors that lead out of it. What is left out leads nowhere. */
interface Room {
  readonly name: string
  /** Its files, by their path from src/. */
  readonly holds: RegExp
  /** Project files that it may import, by their path from src/. */
  readonly project?: RegExp
  readonly packages?: RegExp
  readonly builtins?: RegExp
  /** Uses of `process` and `console`. */
  readonly globals?: RegExp
  /** May it import what only the running program knows, such as a user's middleware file? */
  readonly computed?: boolean
  /** Kinds of statements at the top level; any when left out. */
  readonly statements?: RegExp
  /** The rule in words, for whoever runs into it. */
  readonly rule: string
}

const ANY = /./
const WORDS = /^(exchange|service-info)\.ts$/
const GROUND =
  /^(chain|constant-time|errors|exposed-headers|feed|finite|in-slices|job-thread|json-depth|json-fault|origin|parse-in-pieces|pieced-together|reach|send-json)\.ts$/
const NOT_FS = /^node:(?!fs\b)/
const NOT_FS_NOR_NETWORK = /^node:(?!fs\b|https?2?$|net$|tls$)/

/** The table of CONTRIBUTING.md, as a program can check it. */
export const rooms: readonly Room[] = [
  {
    name: 'words',
    holds: WORDS,
    project: WORDS,
    statements: /^TS(Interface|TypeAlias)Declaration$/,
    rule: 'types only, of what the server and its page say to each other',
  },
  {
    name: 'ground',
    holds: GROUND,
    project: new RegExp(`${WORDS.source}|${GROUND.source}`),
    packages: /^express$/,
    builtins: /^node:(crypto|worker_threads)$/,
    rule: "imports nothing but itself, words, node:crypto, threads and express's types: everybody stands on it",
  },
  {
    name: 'storage',
    holds: /^storage\//,
    project: /^(storage\/|(errors|finite|in-slices|json-fault|parse-in-pieces)\.ts$)/,
    packages: /^(lodash|lowdb|nanoid|pluralize)(\/|$)/,
    builtins: /^node:(?!https?2?$|net$|tls$)/,
    globals: /^process\.(pid|platform|kill|geteuid)$/,
    rule: 'imports the ground, lowdb and what it computes with; never heard of HTTP, the console or the process',
  },
  {
    name: 'layers',
    holds: /^layers\//,
    project:
      /^(layers\/_[^/]+|(constant-time|errors|exchange|exposed-headers|feed|finite|in-slices|job-thread|json-depth|json-fault|origin|parse-in-pieces|reach|send-json|service-info)\.ts)$/,
    packages: /^(express|cors|morgan|jsonwebtoken|bcryptjs|express-rate-limit|path-to-regexp|re2js)(\/|$)/,
    builtins: NOT_FS,
    globals: /^(console\.(log|warn)|process\.env)$/,
    rule: 'imports the ground, express, the library it wraps and the _parts of its room; never another layer',
  },
  {
    name: 'hosted',
    holds: /^endpoints\/_hosted-examples\.ts$/,
    project: /^(storage\/types\.ts|\.\.\/data\/hosted-examples\.json)$/,
    builtins: /^node:module$/,
    rule: 'the one part of an endpoint that may read a file: its examples',
  },
  {
    name: 'router and endpoints',
    holds: /^(router|endpoints)\//,
    project:
      /^(storage\/|layers\/(body-parser|pause)\.ts$|(chain|constant-time|errors|exchange|exposed-headers|feed|finite|in-slices|json-fault|origin|reach|send-json|service-info)\.ts$)/,
    packages: /^(express|lodash|lodash-id|method-override|pluralize|qs)(\/|$)/,
    builtins: NOT_FS_NOR_NETWORK,
    globals: /^console\.error$/,
    rule: 'imports its own room, storage, layers/body-parser, layers/pause, the ground and express; never lowdb, fs, app',
  },
  {
    name: 'app',
    holds: /^app\//,
    project:
      /^(app|router|endpoints|layers|storage|dashboard)\/|^(chain|errors|exchange|feed|finite|json-fault|service-info)\.ts$|^(config\.schema|\.\.\/package)\.json$/,
    packages: /^(?!yargs)/,
    builtins: /^node:/,
    globals: /^(console\.|process\.(?!exit|argv|\?))/,
    computed: true,
    rule: 'imports everything below it; never cli, the command line or an exit',
  },
  {
    name: 'index',
    holds: /^index\.c?ts$/,
    project: /^(app|router|layers)\/|^(errors|index)\.ts$/,
    statements:
      /^((Import|ExportNamed|ExportAll)Declaration|ObjectExpression|TSImportEqualsDeclaration|TSExportAssignment)$/,
    rule: 'names only, from app, router, layers and the ground',
  },
  {
    name: 'cli',
    holds: /^cli\//,
    project: /^(cli\/|index\.ts$)/,
    packages: /^yargs(\/|$)/,
    builtins: /^node:/,
    globals: ANY,
    rule: 'imports index.ts and nothing deeper: what the command can do, a library user can do',
  },
  {
    name: 'lib',
    holds: /^lib\//,
    project: /^(index|cli\/run-parsed)\.ts$/,
    rule: "json-server's inner paths: names only, from index.ts, and the command for json-server-auth",
  },
  {
    name: 'bin',
    holds: /^bin\.ts$/,
    project: /^cli\/run\.ts$/,
    globals: /^process\./,
    rule: 'calls cli/run and sets the exit code',
  },
  {
    name: 'dashboard',
    holds: /^dashboard\//,
    project: /^(dashboard\/|(exchange|json-fault|service-info)\.ts$)/,
    packages: /^(preact|@preact\/signals|pluralize)(\/|$)/,
    globals: ANY,
    rule: 'runs in a browser: knows nothing of the server but the words between them',
  },
]

/** Every wall that a file goes through, as a sentence each. */
export function faultsOf(file: string, source: string): readonly string[] {
  const room = rooms.find(({ holds }) => holds.test(file))
  if (!room) return [`src/${file} is in no room: give it one in test/support/rooms.ts and CONTRIBUTING.md`]
  const { imports, globals, statements } = readModule(source, file.endsWith('.tsx') ? 'tsx' : 'ts')
  const refused = [
    ...imports
      .filter((name) => !mayImport(room, file, name))
      .map((name) => `imports ${name ?? 'a computed name'}`),
    ...globals.filter((name) => !room.globals?.test(name)).map((name) => `uses ${name}`),
    ...statements.filter((kind) => room.statements?.test(kind) === false).map((kind) => `contains a ${kind}`),
  ]
  return refused.map((what) => `src/${file} ${what}. The rule of ${room.name}: ${room.rule}`)
}

function mayImport(room: Room, file: string, name: string | undefined): boolean {
  if (name === undefined) return room.computed === true
  if (name.startsWith('node:')) return room.builtins?.test(name) === true
  if (!/^[./]/.test(name)) return room.packages?.test(name) === true
  const target = posix.normalize(posix.join(posix.dirname(file), name))
  const isAtHome = room.name === 'router and endpoints' && posix.dirname(target) === posix.dirname(file)
  return isAtHome || room.project?.test(target) === true
}
