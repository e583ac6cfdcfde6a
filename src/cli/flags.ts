/** A command-line flag. This table is the single source for parsing and help. */
export interface Flag {
  readonly name: string
  readonly alias?: string
  /** A second long name. */
  readonly also?: string
  readonly type: 'on-off' | 'text' | 'number' | 'list'
  readonly group: string
  /** Placeholder for the value in the help. */
  readonly value?: string
  readonly help: string
  readonly example?: string
  /** Upper bound of a number. */
  readonly max?: number
}

/** Without a type, a flag with a value is of type `text`. */
type Named = Omit<Flag, 'group' | 'type'> & Partial<Pick<Flag, 'type'>>

const GROUPED: Readonly<Record<string, readonly Named[]>> = {
  Server: [
    {
      name: 'port',
      alias: 'p',
      type: 'number',
      max: 65_535,
      value: 'N',
      help: 'port to listen on; 0 for a free one (3000)',
      example: '3001',
    },
    { name: 'host', alias: 'H', value: 'HOST', help: 'address to listen on (localhost)', example: '0.0.0.0' },
    { name: 'watch', alias: 'w', help: 'reload files when they change' },
    {
      name: 'static',
      alias: 's',
      value: 'DIR',
      help: 'folder of static files, repeatable (./public)',
      example: 'public',
    },
    { name: 'quiet', alias: 'q', help: 'print only errors' },
  ],
  Data: [
    { name: 'id', alias: 'i', value: 'NAME', help: 'name of the primary key (id)', example: '_id' },
    {
      name: 'foreignKeySuffix',
      alias: 'fks',
      value: 'TEXT',
      help: 'suffix of foreign keys (Id)',
      example: '_id',
    },
    { name: 'seed', value: 'FILE', help: 'what to start from, and reset to', example: 'seed.json' },
    { name: 'no-persist', help: 'write nothing to the data file' },
    { name: 'read-only', alias: 'ro', help: 'allow only GET, HEAD, OPTIONS, and logins' },
    { name: 'cascade', help: 'DELETE also removes dependent rows' },
    {
      name: 'snapshots',
      alias: 'S',
      value: 'DIR',
      help: 'folder for snapshots (none)',
      example: 'snapshots',
    },
    { name: 'hosted', value: 'KIND', help: 'fixed examples, public or private', example: 'public' },
  ],
  Requests: [
    { name: 'routes', alias: 'r', value: 'FILE', help: 'URL rewrite rules', example: 'routes.json' },
    {
      name: 'middlewares',
      alias: 'm',
      type: 'list',
      value: 'X…',
      help: 'built-in layers and your files, in order',
      example: 'cors ./auth.js',
    },
    {
      name: 'delay',
      alias: 'd',
      type: 'number',
      max: 2_147_483_647,
      value: 'MS',
      help: 'wait before each response',
      example: '500',
    },
    { name: 'no-cors', alias: 'nc', help: 'no CORS headers, no JSONP' },
    {
      name: 'allowed-hosts',
      value: 'LIST',
      help: 'host names to accept, besides localhost',
      example: 'app.test,.example.com',
    },
    {
      name: 'allowed-origins',
      value: 'LIST',
      help: 'origins allowed to use the server',
      example: 'http://localhost:5173',
    },
    { name: 'no-gzip', alias: 'ng', help: 'no compression' },
    { name: 'no-faults', help: 'no failures on purpose' },
  ],
  HTTPS: [
    { name: 'ssl', also: 'https', help: 'serve HTTPS, self-signed by default' },
    { name: 'cert', value: 'FILE', help: 'your own certificate, with --key', example: 'cert.pem' },
    { name: 'key', value: 'FILE', help: 'its private key', example: 'key.pem' },
  ],
  Other: [
    {
      name: 'config',
      alias: 'c',
      value: 'FILE',
      help: 'config file (restable.config.json)',
      example: 'my.config.json',
    },
    { name: 'help', alias: 'h', help: 'show this' },
    { name: 'version', alias: 'v', help: 'show the version' },
  ],
}

export const FLAGS: readonly Flag[] = Object.entries(GROUPED).flatMap(([group, flags]) =>
  flags.map((flag) => withDefaults(flag, group)),
)

/** The flag of the commands that describe. */
export const OUT = withDefaults({
  name: 'out',
  alias: 'o',
  value: 'FILE',
  help: 'file to write; printed without it',
  example: 'api.d.ts',
})

/** Flags of `restable import` and `restable export` alone. */
export const TRANSFER: readonly Flag[] = [
  withDefaults({
    name: 'schema',
    value: 'NAME',
    help: 'schema of the database (restable)',
    example: 'team_a',
  }),
  withDefaults({ name: 'replace', help: 'replace what is there already' }),
]

function withDefaults(flag: Named, group = 'Other'): Flag {
  return { type: flag.value === undefined ? 'on-off' : 'text', group, ...flag }
}
