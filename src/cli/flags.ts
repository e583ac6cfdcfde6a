/** A command-line flag. This table is the single source for parsing and help. */
export interface Flag {
  readonly name: string
  readonly alias?: string
  /** A second long name. */
  readonly also?: string
  readonly type: 'on-off' | 'text' | 'number' | 'list'
  readonly group: 'Server' | 'Data' | 'Requests' | 'HTTPS' | 'Other'
  /** Placeholder for the value in the help. */
  readonly value?: string
  readonly help: string
  readonly example?: string
  /** Upper bound of a number. */
  readonly max?: number
}

/** Every flag, in help order. */
export const FLAGS: readonly Flag[] = [
  {
    name: 'port',
    alias: 'p',
    type: 'number',
    max: 65_535,
    group: 'Server',
    value: 'N',
    help: 'port to listen on; 0 for a free one (3000)',
    example: '3001',
  },
  {
    name: 'host',
    alias: 'H',
    type: 'text',
    group: 'Server',
    value: 'HOST',
    help: 'address to listen on (localhost)',
    example: '0.0.0.0',
  },
  { name: 'watch', alias: 'w', type: 'on-off', group: 'Server', help: 'reload files when they change' },
  {
    name: 'static',
    alias: 's',
    type: 'text',
    group: 'Server',
    value: 'DIR',
    help: 'folder of static files, repeatable (./public)',
    example: 'public',
  },
  { name: 'quiet', alias: 'q', type: 'on-off', group: 'Server', help: 'print only errors' },
  {
    name: 'id',
    alias: 'i',
    type: 'text',
    group: 'Data',
    value: 'NAME',
    help: 'name of the primary key (id)',
    example: '_id',
  },
  {
    name: 'foreignKeySuffix',
    alias: 'fks',
    type: 'text',
    group: 'Data',
    value: 'TEXT',
    help: 'suffix of foreign keys (Id)',
    example: '_id',
  },
  {
    name: 'seed',
    type: 'text',
    group: 'Data',
    value: 'FILE',
    help: 'what to start from, and reset to',
    example: 'seed.json',
  },
  { name: 'no-persist', type: 'on-off', group: 'Data', help: 'write nothing to the data file' },
  {
    name: 'read-only',
    alias: 'ro',
    type: 'on-off',
    group: 'Data',
    help: 'allow only GET, HEAD, OPTIONS, and logins',
  },
  { name: 'cascade', type: 'on-off', group: 'Data', help: 'DELETE also removes dependent rows' },
  {
    name: 'snapshots',
    alias: 'S',
    type: 'text',
    group: 'Data',
    value: 'DIR',
    help: 'folder for snapshots (none)',
    example: 'snapshots',
  },
  {
    name: 'hosted',
    type: 'text',
    group: 'Data',
    value: 'KIND',
    help: 'fixed examples, public or private',
    example: 'public',
  },
  {
    name: 'routes',
    alias: 'r',
    type: 'text',
    group: 'Requests',
    value: 'FILE',
    help: 'URL rewrite rules',
    example: 'routes.json',
  },
  {
    name: 'middlewares',
    alias: 'm',
    type: 'list',
    group: 'Requests',
    value: 'X…',
    help: 'built-in layers and your files, in order',
    example: 'cors ./auth.js',
  },
  {
    name: 'delay',
    alias: 'd',
    type: 'number',
    max: 2_147_483_647,
    group: 'Requests',
    value: 'MS',
    help: 'wait before each response',
    example: '500',
  },
  {
    name: 'no-cors',
    alias: 'nc',
    type: 'on-off',
    group: 'Requests',
    help: 'no CORS headers, no JSONP',
  },
  {
    name: 'allowed-hosts',
    type: 'text',
    group: 'Requests',
    value: 'LIST',
    help: 'host names to accept, besides localhost',
    example: 'app.test,.example.com',
  },
  {
    name: 'allowed-origins',
    type: 'text',
    group: 'Requests',
    value: 'LIST',
    help: 'origins allowed to use the server',
    example: 'http://localhost:5173',
  },
  { name: 'no-gzip', alias: 'ng', type: 'on-off', group: 'Requests', help: 'no compression' },
  { name: 'no-faults', type: 'on-off', group: 'Requests', help: 'no failures on purpose' },
  { name: 'ssl', also: 'https', type: 'on-off', group: 'HTTPS', help: 'serve HTTPS, self-signed by default' },
  {
    name: 'cert',
    type: 'text',
    group: 'HTTPS',
    value: 'FILE',
    help: 'your own certificate, with --key',
    example: 'cert.pem',
  },
  { name: 'key', type: 'text', group: 'HTTPS', value: 'FILE', help: 'its private key', example: 'key.pem' },
  {
    name: 'config',
    alias: 'c',
    type: 'text',
    group: 'Other',
    value: 'FILE',
    help: 'config file (restable.config.json)',
    example: 'my.config.json',
  },
  { name: 'help', alias: 'h', type: 'on-off', group: 'Other', help: 'show this' },
  { name: 'version', alias: 'v', type: 'on-off', group: 'Other', help: 'show the version' },
]

/** The flag of the commands that describe. */
export const OUT: Flag = {
  name: 'out',
  alias: 'o',
  type: 'text',
  group: 'Other',
  value: 'FILE',
  help: 'file to write; printed without it',
  example: 'api.d.ts',
}

/** Flags of `restable import` and `restable export` alone. */
export const TRANSFER: readonly Flag[] = [
  {
    name: 'schema',
    type: 'text',
    group: 'Other',
    value: 'NAME',
    help: 'schema of the database (restable)',
    example: 'team_a',
  },
  { name: 'replace', type: 'on-off', group: 'Other', help: 'replace what is there already' },
]
