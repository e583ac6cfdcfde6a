/** A room of src/ and the doors that lead out of it. What is left out leads nowhere. */
export interface Room {
  /** Its folder, seen from src/; `.` is src/ itself. */
  readonly folder: string
  /** Only these files of the folder. */
  readonly files?: readonly string[]
  /** Whether the folders below it belong to the same room. */
  readonly isTree?: boolean
  /** What it may import beside itself: folders, with the files right in them, or single files. */
  readonly uses?: readonly string[]
  readonly packages?: readonly string[]
  /** Modules of Node's own. */
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
const NOTHING_OUTSIDE =
  /^node:(crypto|buffer|util|module|querystring|stream|stream\/promises|zlib|async_hooks|worker_threads)$/
const FILES = /^node:(fs|fs\/promises|os|path|crypto|timers\/promises)$/

const WORDS = ['exchange.ts', 'service-info.ts']
/** What everybody stands on. */
const GROUND = ['errors.ts', 'json', 'work']
const HTTP_GROUND = [...GROUND, 'http', 'exchange.ts', 'service-info.ts', 'feed.ts']

/** The table of CONTRIBUTING.md, as a program can check it. A room comes after those that it uses. */
export const rooms: readonly Room[] = [
  {
    folder: '.',
    files: WORDS,
    statements: /^TS(Interface|TypeAlias)Declaration$/,
    rule: 'types only, of what the server and its page say to each other',
  },
  {
    folder: '.',
    files: ['errors.ts', 'feed.ts', 'lru.ts'],
    uses: WORDS,
    rule: 'imports nothing but words: everybody stands on it',
  },
  {
    folder: 'work',
    builtins: /^node:worker_threads$/,
    rule: 'work in slices and in threads: knows nothing of what the work is about',
  },
  { folder: 'json', uses: ['work'], rule: 'JSON as such: knows nothing of data or requests' },
  {
    folder: 'json/patch',
    uses: ['json', 'work', 'errors.ts'],
    rule: 'what a patch makes of a JSON value: pure, for every engine; knows nothing of rows or requests',
  },
  {
    folder: 'http',
    uses: WORDS,
    packages: ['express'],
    builtins: /^node:crypto$/,
    rule: "what layers, router and endpoints share of HTTP: imports express's types and nothing else",
  },
  {
    folder: 'storage',
    uses: [...GROUND, 'json/patch', 'lru.ts'],
    packages: ['pluralize'],
    rule: 'the contract: types, and the least that is said with them',
  },
  {
    folder: 'storage/query/like',
    uses: ['errors.ts', 'lru.ts', 'work'],
    builtins: /^node:worker_threads$/,
    rule: 'patterns over strings: knows nothing of rows',
  },
  {
    folder: 'storage/query/decide',
    uses: ['storage', 'errors.ts', 'work'],
    rule: 'what a query means, given the fields that rows have: looks at no row',
  },
  {
    folder: 'storage/query/value',
    uses: ['storage/query/like', 'work'],
    rule: 'how one value compares with others: knows no row and no path',
  },
  {
    folder: 'storage/query',
    uses: ['storage', 'storage/query/decide', 'storage/query/like', 'storage/query/value', 'work'],
    packages: ['lodash'],
    rule: 'what a query means: pure, the reference for every engine; knows no index and no file',
  },
  {
    folder: 'storage/index',
    uses: ['storage', 'storage/query', 'storage/query/value', 'lru.ts', 'work'],
    rule: 'derived from rows: knows what a query means, and neither who asks it nor any file',
  },
  {
    folder: 'storage/table',
    uses: ['storage', 'storage/index', 'storage/query', 'storage/query/value', 'errors.ts', 'work'],
    packages: ['nanoid'],
    rule: 'one collection in memory, and a draft of it: knows no other collection and no file',
  },
  {
    folder: 'storage/relations',
    uses: ['storage', 'storage/index', 'storage/query', 'storage/query/decide', 'errors.ts', 'json', 'work'],
    rule: 'how rows point at each other: knows no file',
  },
  {
    folder: 'storage/plan',
    uses: ['storage', 'storage/query', 'storage/query/decide', 'storage/index', 'storage/table', 'work'],
    rule: 'chooses the indexes that answer a query: knows no file',
  },
  {
    folder: 'storage/fork',
    uses: [
      'storage',
      'storage/query',
      'storage/query/decide',
      'storage/index',
      'storage/table',
      'storage/plan',
      'json',
      'json/patch',
      'work',
    ],
    rule: 'copies of tables that share what nobody has changed: knows no file and no queue',
  },
  {
    folder: 'storage/json',
    uses: ['storage', 'storage/table', 'lru.ts', ...GROUND],
    builtins: /^node:buffer$/,
    rule: 'data to JSON and back: knows no file',
  },
  {
    folder: 'storage/disk',
    uses: ['errors.ts'],
    packages: ['nanoid'],
    builtins: FILES,
    globals: /^process\.(pid|platform|kill)$/,
    rule: 'files and locks as such: knows nothing of the data in them',
  },
  {
    folder: 'storage/file',
    uses: ['storage', 'storage/json', 'storage/disk', 'errors.ts', 'work'],
    packages: ['lowdb'],
    builtins: FILES,
    globals: /^process\.(platform|geteuid)$/,
    rule: 'data in a file: knows nothing of queries, indexes or tables',
  },
  {
    folder: 'storage/local/reading',
    uses: [
      'storage',
      'storage/query',
      'storage/relations',
      'storage/json',
      'storage/local/local-data.ts',
      'work',
    ],
    rule: 'how questions are answered from the data in memory: changes nothing',
  },
  {
    folder: 'storage/rules',
    uses: [
      'storage',
      'storage/index',
      'storage/query',
      'storage/query/value',
      'storage/relations',
      'errors.ts',
      'work',
    ],
    packages: ['nanoid'],
    builtins: /^node:crypto$/,
    rule: 'what rows must obey, for every engine: knows no table, no file, no schema language and no request',
  },
  {
    folder: 'storage/local',
    uses: [
      'storage',
      'storage/local/reading',
      'storage/rules',
      'storage/query',
      'storage/query/decide',
      'storage/query/value',
      'storage/table',
      'storage/relations',
      'storage/plan',
      'storage/fork',
      'storage/json',
      'storage/disk/fs.ts',
      'storage/file/changed-outside.ts',
      'json/patch',
      'errors.ts',
      'json',
      'work',
    ],
    packages: ['lowdb'],
    rule: 'the engine of one process: puts the rooms of storage together; what it is kept in comes from outside',
  },
  {
    folder: 'layers/mask',
    uses: ['json', 'exchange.ts'],
    builtins: NOTHING_OUTSIDE,
    rule: 'keeps secrets out of what is shown',
  },
  {
    folder: 'schema/shape',
    uses: ['schema/json-schema.ts', 'schema/example.ts', 'layers/mask', 'work'],
    rule: 'what values have in common: knows nothing of resources',
  },
  {
    folder: 'schema',
    uses: ['schema/shape', 'layers/mask', 'storage', 'storage/relations', 'work'],
    packages: ['pluralize'],
    rule: 'what the API serves: pure; knows no request, no engine and no file',
  },
  { folder: 'schema/typescript', uses: ['schema'], rule: 'the same as TypeScript: text only' },
  {
    folder: 'schema/openapi/tables',
    uses: ['schema/json-schema.ts', 'schema/openapi/settings.ts'],
    rule: 'every parameter, filter, header, error and guard: one row for each',
  },
  {
    folder: 'schema/openapi',
    uses: ['schema', 'schema/openapi/tables', 'service-info.ts', 'work'],
    rule: 'the same as OpenAPI, made of the tables; knows no server',
  },
  {
    folder: 'layers/body',
    uses: GROUND,
    packages: ['express'],
    builtins: NOTHING_OUTSIDE,
    rule: 'how bodies are read: knows no layer',
  },
  {
    folder: 'layers/rewrite',
    uses: ['errors.ts', 'http'],
    packages: ['path-to-regexp', 're2js'],
    builtins: /^node:module$/,
    rule: 'the language of rewrite rules: knows no layer',
  },
  {
    folder: 'layers/login',
    uses: [...GROUND, 'http', 'layers/body', 'layers/_guard.ts'],
    packages: ['express', 'jsonwebtoken', 'bcryptjs'],
    builtins: NOTHING_OUTSIDE,
    globals: /^process\.env$/,
    rule: 'parts of those layers that let people log in: knows no layer',
  },
  {
    folder: 'layers/log',
    uses: ['errors.ts', 'exchange.ts', 'feed.ts', 'http/ignored.ts', 'layers/mask', 'layers/_guard.ts'],
    packages: ['express', 'morgan'],
    builtins: /^node:http$/,
    globals: /^(console\.(log|warn)|process\.env)$/,
    rule: 'layers that only look on: never another layer',
  },
  {
    folder: 'layers/doors',
    uses: ['errors.ts', 'http', 'layers/_guard.ts'],
    packages: ['express', 'cors'],
    builtins: /^node:net$/,
    rule: 'layers that ask where a request comes from: never another layer',
  },
  {
    folder: 'layers',
    uses: [...HTTP_GROUND, 'layers/body', 'layers/login', 'layers/rewrite'],
    packages: ['express', 'cors', 'jsonwebtoken', 'express-rate-limit'],
    builtins: /^node:(http|module|crypto|querystring)$/,
    globals: /^console\.warn$/,
    rule: 'imports the ground, the library it wraps and the parts of its room; never another layer',
  },
  {
    folder: 'endpoints',
    files: ['_hosted-examples.ts'],
    uses: ['storage/types.ts', '../data/hosted-examples.json'],
    builtins: /^node:module$/,
    rule: 'the one part of an endpoint that may read a file: its examples',
  },
  {
    folder: 'router/db',
    uses: ['storage', 'storage/local/live-data.ts'],
    packages: ['lodash', 'lodash-id'],
    builtins: /^node:module$/,
    globals: /^console\.error$/,
    rule: "json-server's lodash chain over live data: knows no request",
  },
  {
    folder: 'router/query',
    uses: ['storage', 'router/request-error.ts', 'json', 'http'],
    packages: ['express', 'qs'],
    rule: 'what the words of a query string mean: knows no engine',
  },
  {
    folder: 'router/answer',
    uses: [
      'storage',
      'storage/json',
      'json',
      'lru.ts',
      'work',
      'http',
      'router/read.ts',
      'router/request-error.ts',
    ],
    packages: ['express'],
    builtins: NOTHING_OUTSIDE,
    rule: 'how an answer is written out, kept and sent: knows no engine',
  },
  {
    folder: 'router/explain',
    uses: [
      'storage',
      'storage/relations',
      'exchange.ts',
      'lru.ts',
      'http',
      'layers/mask',
      'router/context.ts',
      'router/query',
      'router/read.ts',
      'router/request-error.ts',
      'router/target.ts',
    ],
    packages: ['express'],
    rule: 'what of a request had no effect, and what was meant: knows nothing of how answers leave',
  },
  {
    folder: 'router/write',
    uses: [
      'storage',
      'storage/json',
      'json',
      'json/patch',
      'errors.ts',
      'layers/body-parser.ts',
      'router/context.ts',
      'router/links.ts',
      'router/request-error.ts',
      'router/query',
    ],
    packages: ['express'],
    rule: 'what writes ask for: knows nothing of how answers leave',
  },
  {
    folder: 'router',
    uses: [
      ...HTTP_GROUND,
      'storage',
      'storage/file',
      'storage/json',
      'storage/local/keeper.ts',
      'storage/local/local-engine.ts',
      'storage/relations',
      'layers/body-parser.ts',
      'layers/pause.ts',
      'router/query',
      'router/write',
      'router/answer',
      'router/explain',
      'router/db',
    ],
    packages: ['express', 'lodash', 'method-override'],
    builtins: NOTHING_OUTSIDE,
    globals: /^console\.(error|warn)$/,
    rule: 'imports its own rooms, storage, the ground and express; never lowdb, fs, app or an endpoint',
  },
  {
    folder: 'endpoints',
    uses: [
      ...HTTP_GROUND,
      'endpoints/_hosted-examples.ts',
      'storage',
      'storage/file/snapshots.ts',
      'layers/body-parser.ts',
    ],
    packages: ['express'],
    rule: 'fixed addresses beside the data: imports storage, the ground and express; never fs, app or the router',
  },
  {
    folder: 'app/config',
    uses: [...GROUND, 'layers/_defaults.ts', 'layers/doors', 'storage/disk', 'storage/json'],
    packages: ['zod'],
    builtins: /^node:(buffer|fs|fs\/promises|path)$/,
    rule: 'settings and where they come from: knows nothing that is made of them',
  },
  {
    folder: 'app/modules',
    uses: ['errors.ts', 'app/config', 'app/express/express-4-paths.ts'],
    packages: ['express'],
    builtins: /^node:(fs|fs\/promises|module|path|url|util)$/,
    globals: /^process\.(cwd|versions)$/,
    computed: true,
    rule: "loads files of the user's own",
  },
  {
    folder: 'app/source',
    uses: [
      ...GROUND,
      'app/config',
      'app/modules',
      'storage',
      'storage/disk',
      'storage/file',
      'storage/json',
      'storage/local',
      'storage/relations',
    ],
    builtins: /^node:(fs|fs\/promises|path)$/,
    rule: 'makes an engine of what `source` names',
  },
  {
    folder: 'app/watch',
    uses: ['app/config', 'app/modules', 'json', 'storage/disk'],
    builtins: /^node:(fs|fs\/promises|path)$/,
    globals: /^process\.cwd$/,
    rule: 'tells that files changed: knows nothing that is made of them',
  },
  {
    folder: 'app/http',
    uses: ['errors.ts', 'app/config/package-file.ts', 'app/express/express-classes.ts', 'storage/disk'],
    packages: ['selfsigned'],
    builtins: /^node:/,
    globals: /^process\.cwd$/,
    rule: 'sockets, certificates and servers: knows no route',
  },
  {
    folder: 'app/express',
    uses: ['app/http', 'router', 'router/db', 'router/query'],
    packages: ['express'],
    builtins: /^node:http$/,
    rule: 'the habits of Express 4 on Express 5',
  },
  {
    folder: 'app/describe',
    uses: [
      ...HTTP_GROUND,
      'app/package-version.ts',
      'app/config',
      'app/source',
      'layers',
      'schema',
      'schema/openapi',
      'schema/shape',
      'schema/typescript',
      'storage',
      'storage/json',
      'storage/relations',
    ],
    builtins: /^node:(fs|fs\/promises|path)$/,
    rule: 'what the service tells of itself',
  },
  {
    folder: 'app/remarks',
    uses: [
      'app/build-layer.ts',
      'app/defaults.ts',
      'app/config',
      'layers/_defaults.ts',
      'storage',
      'storage/index',
    ],
    builtins: /^node:(fs|fs\/promises|path)$/,
    rule: 'what the start says of settings and data that are hardly meant',
  },
  {
    folder: 'app',
    uses: [
      ...HTTP_GROUND,
      ...['config', 'describe', 'express', 'http', 'modules', 'remarks', 'source', 'watch'].map(
        (name) => `app/${name}`,
      ),
      ...['layers', 'layers/doors', 'layers/log', 'endpoints'],
      ...['router', 'router/answer', 'router/db'],
      ...['storage', 'storage/file', 'storage/json/write-out.ts'],
      ...['schema/json-schema.ts', 'schema/openapi/openapi-document.ts'],
      '../package.json',
    ],
    packages: ['compression', 'express'],
    builtins: /^node:/,
    globals: /^(console\.log|process\.env)$/,
    rule: 'imports everything below it; never cli, the command line or an exit',
  },
  {
    folder: '.',
    files: ['index.ts'],
    uses: [
      ...['app', 'app/config', 'app/express', 'router', 'router/db', 'layers', 'layers/log', 'errors.ts'],
      ...['storage/engine.ts', 'storage/question.ts', 'storage/change.ts', 'storage/commit.ts'],
      ...['storage/invert-effects.ts', 'storage/types.ts'],
      ...['schema/json-schema.ts', 'schema/openapi/openapi-document.ts'],
    ],
    statements: /^((Import|ExportNamed|ExportAll)Declaration|ObjectExpression)$/,
    rule: 'names only, from app, router, layers, the contract of storage and the ground',
  },
  {
    folder: '.',
    files: ['index.cts'],
    uses: ['index.ts', 'app/modules/answer-require.ts'],
    statements: /^(TSImportEqualsDeclaration|ExpressionStatement|TSExportAssignment)$/,
    rule: 'the names of index.ts for require(), which is told who asks',
  },
  {
    folder: 'cli',
    uses: ['index.ts'],
    packages: ['yargs'],
    builtins: /^node:/,
    globals: ANY,
    rule: 'imports index.ts and nothing deeper: what the command can do, a library user can do',
  },
  {
    folder: 'lib',
    uses: ['index.ts', 'cli/run-parsed.ts'],
    rule: "json-server's inner paths: names only, from index.ts, and the command for json-server-auth",
  },
  {
    folder: '.',
    files: ['bin.ts'],
    uses: ['cli/run.ts'],
    globals: /^process\./,
    rule: 'calls cli/run and sets the exit code',
  },
  {
    folder: 'dashboard',
    isTree: true,
    uses: [...WORDS, 'json/json-fault.ts'],
    packages: ['preact', '@preact/signals', 'pluralize'],
    globals: ANY,
    rule: 'runs in a browser: knows nothing of the server but the words between them',
  },
]
