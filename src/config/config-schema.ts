import * as z from 'zod/mini'
import { DELAY, LAYER_SETTINGS, LAYERS } from '../core/layers/list.ts'
import { HOST_NAME, ORIGIN } from '../core/layers/origin-checks.ts'
import { integerType, listOf, stringListType, stringType } from '../core/layers/parts/option-types.ts'
import { options, setting, toggle } from '../core/layers/parts/setting.ts'
import { isProxy, PROXY } from '../core/layers/parts/trusted-proxies.ts'
import { LONGEST_WAIT } from '../core/layers/parts/wait.ts'
import { shapeSchema } from '../wings/shapes/shape-settings.ts'
import { resourcesSchema } from './resources/resource-settings.ts'

/*
 * Every setting but those of features, in camelCase: types, defaults, checks, flags, `--help`, the JSON Schema and the
 * tables of docs/configuration.md come from here. The message of each check completes the sentence `"port" must be …`.
 */

const SOURCE =
  'the path of a data file, a folder or a .js file, an http(s) or postgres URL, or a list of data files'

const server = {
  $schema: setting(
    z.string('the address of a JSON Schema'),
    'JSON Schema for your editor: completion, and errors as you type',
  ),
  source: setting(
    z.union([stringType(SOURCE), stringListType(SOURCE).check(z.minLength(1, SOURCE))], SOURCE),
    '[What to serve](data.md#sources): a [data file](data-files.md), several, or a folder of them, a module, an http(s) URL, or' +
      ' a [PostgreSQL](postgres.md) URL',
    { examples: ['db.json', ['products.json', 'companies.yaml']] },
  ),
  port: setting(
    z._default(integerType('a whole number from 0 to 65535', 0, 65_535), 3000),
    'Port to listen on; `0` picks a free one',
    { examples: [3000], flag: { alias: 'p', max: 65_535, example: '3001' } },
  ),
  host: setting(
    z._default(stringType('a host name or address'), 'localhost'),
    'Address to listen on; `localhost` is 127.0.0.1 and ::1, `0.0.0.0` lets other machines in',
    { examples: ['0.0.0.0'], flag: { alias: 'H' } },
  ),
  watch: toggle(
    '[Reload](data.md#watching-files) data, routes, middleware files and config when they change',
    false,
    { alias: 'w' },
  ),
  static: setting(
    z.union(
      [stringType('the path of a folder, or a list of such'), stringListType('the path of a folder')],
      'the path of a folder, or a list of such',
    ),
    'Folder of static files, in front of the API; of several, the first that has a file wins',
    {
      default: './public',
      examples: ['public', ['public', 'dist']],
      flag: {
        alias: 's',
        list: 'repeated',
        about: 'Folder of static files, in front of the API; repeatable',
      },
    },
  ),
  quiet: toggle('Print only errors', false, { alias: 'q' }),
}

const data = {
  id: setting(z._default(stringType('the name of a field'), 'id'), 'Name of the primary key', {
    examples: ['_id'],
    flag: { alias: 'i' },
  }),
  foreignKeySuffix: setting(
    z._default(stringType('the end of a field name'), 'Id'),
    'Suffix of [foreign keys](queries.md#relations)',
    { examples: ['_id'], flag: { name: 'foreignKeySuffix', alias: 'fks' } },
  ),
  seed: setting(
    stringType('the path of a .json or .js file, or an http(s) URL'),
    'What a missing data file is [made from](data.md#a-file-to-start-from), and what a' +
      ' [reset](data.md#history-undo-and-reset) goes back to',
    { without: 'none', examples: ['seed.json'], flag: {} },
  ),
  persist: toggle('Save changes to the data file; otherwise, they stay in memory', true, {
    about: 'Keep changes in memory, and write nothing to the data file',
  }),
  readOnly: toggle('Allow only GET, HEAD, OPTIONS, and logins', false, { alias: 'ro' }),
  cascade: toggle('[DELETE](writing.md#delete) also removes dependent rows', false, {}),
  upsert: toggle('[PUT](writing.md#create-or-replace) of an item that does not exist creates it'),
  snapshots: setting(
    stringType('the path of a folder'),
    'Folder for [snapshots](data.md#snapshots); a [database](postgres.md) keeps them itself',
    { without: 'none', examples: ['snapshots'], flag: { alias: 'S' } },
  ),
}

const rows = {
  resources: setting(
    resourcesSchema,
    '[Rules](validation.md#what-each-key-means), [access](access.md) and [shape](shapes.md) of each resource, by its name',
    {
      without: 'none',
      hasNames: true,
      examples: [{ users: { schema: 'schemas/user.json', unique: ['email'], timestamps: true } }],
    },
  ),
  shape: setting(
    shapeSchema,
    '[What responses look like](shapes.md) around the rows: a preset such as `laravel`, or a template',
    {
      without: 'rows as they are',
      examples: ['laravel', { list: { data: '$rows', total: '$total' }, item: { data: '$row' } }],
      flag: { about: 'What responses look like around the rows, such as laravel or drf' },
    },
  ),
  wrap: setting(stringType('the name of a key'), 'The key that responses have their [rows](shapes.md) in', {
    without: 'none',
    examples: ['data'],
    flag: {},
  }),
}

const requests = {
  routes: setting(stringType('the path of a JSON file'), 'File of [rewrite rules](rewriting.md)', {
    without: 'none',
    examples: ['routes.json'],
    flag: { alias: 'r' },
  }),
  logic: setting(
    z.union(
      [stringType('the path of a .ts or .js file, or false'), z.literal(false)],
      'the path of a .ts or .js file, or false',
    ),
    'File of [handlers, hooks and computed fields](logic.md); `false`: none, not even beside the data',
    { without: 'api.ts or api.js beside the data', examples: ['api.ts', false], flag: { example: 'api.ts' } },
  ),
  logicTimeout: setting(
    z._default(integerType('a number of milliseconds', 1, LONGEST_WAIT), 30_000),
    'Milliseconds that a [handler or hook](logic.md#time) may take',
    { examples: [5000] },
  ),
  middlewares: setting(
    z._default(middlewareList(), []),
    '[Layers](layers.md) by name and middleware files by path, in the order they run',
    {
      without: 'none',
      examples: [['cors', 'logger', './my-middleware.js']],
      flag: { alias: 'm', list: 'spaces', example: 'cors ./auth.js' },
    },
  ),
  bodyParser: toggle('Parse bodies before your middleware files run', true),
  delay: setting(
    z.union([integerType(DELAY, 0, LONGEST_WAIT), LAYERS.delay.options], DELAY),
    'Milliseconds to wait before each response, or the range of the [delay](layers.md#delay) layer',
    {
      default: 0,
      examples: [500, { min: 200, max: 1499 }],
      flag: { alias: 'd', max: LONGEST_WAIT, about: 'Milliseconds to wait before each response' },
    },
  ),
  noGzip: toggle('No compression', false, { alias: 'ng' }),
  strict: toggle(
    'Query parameters that have [no effect](queries.md#parameters-without-effect) are refused with 400',
  ),
}

const crossOrigin = {
  noCors: toggle('No built-in [CORS headers](layers.md#cors), no JSONP', false, { alias: 'nc' }),
  allowedHosts: setting(
    listOf(HOST_NAME, 'a list of host names', 'a host name without a scheme or port'),
    '[Host names](layers.md#hosts-and-origins) to answer to, besides `localhost` and IP addresses',
    { without: 'all', examples: [['app.test', '.example.com']], flag: { list: 'commas' } },
  ),
  allowedOrigins: setting(
    origins(),
    '[Origins](layers.md#hosts-and-origins) whose pages may use the server, besides its own',
    {
      without: 'all',
      examples: [['http://localhost:5173', 'https://*.example.com']],
      flag: { list: 'commas', example: 'http://localhost:5173' },
    },
  ),
  trustedOrigins: setting(
    origins(),
    'Origins whose pages may [undo, reset](data.md#history-undo-and-reset) and the like, besides those on this' +
      ' machine and its own at an IP address, its `host` or a name in `allowedHosts`',
    { without: 'none', examples: [['https://app.example.com']] },
  ),
  trustedProxies: setting(
    z.array(proxy(), 'a list of IP addresses and subnets'),
    'Addresses and subnets of [proxies](postgres.md#two-servers-behind-a-proxy) whose `X-Forwarded-For` and' +
      ' `X-Forwarded-Proto` are believed',
    { without: 'none', examples: [['127.0.0.1', '10.0.0.0/8']] },
  ),
}

const https = {
  https: setting(
    z.boolean('true or false'),
    'Serve [HTTPS](#https), with a self-signed certificate unless you name one',
    { default: false, examples: [true], flag: { name: 'ssl', also: 'https' } },
  ),
  ssl: setting(
    options({
      cert: setting(stringType('the path of a certificate file'), 'Your own certificate, PEM, with its key', {
        without: 'self-signed',
        flag: { example: 'cert.pem' },
      }),
      key: setting(stringType('the path of a key file'), 'Its private key, PEM', {
        without: 'self-signed',
        flag: { example: 'key.pem' },
      }),
    }),
    'Your certificate',
    { examples: [{ cert: 'cert.pem', key: 'key.pem' }], isMerged: true },
  ),
}

const baseSchema = z.strictObject({
  ...server,
  ...data,
  ...rows,
  ...requests,
  ...crossOrigin,
  ...https,
  ...LAYER_SETTINGS,
})

/** Settings of features, by their part of docs/configuration.md. */
export interface AddedSettings {
  readonly data: Fields
  readonly requests: Fields
}

type Fields = Readonly<Record<string, z.ZodMiniOptional | z.ZodMiniDefault>>

/** Every setting there is. */
export interface AllSettings {
  /** By the headings of docs/configuration.md, which are those of `--help`, too. */
  readonly sections: Readonly<Record<string, Fields>>
  readonly schema: typeof baseSchema
}

export function withFeatures(added: AddedSettings): AllSettings {
  return {
    sections: {
      Server: server,
      Data: data,
      'Rules and responses': { ...rows, ...added.data },
      Requests: { ...requests, ...added.requests },
      'Origins and proxies': crossOrigin,
      HTTPS: https,
    },
    schema: z.strictObject(
      { ...baseSchema.shape, ...added.data, ...added.requests },
      'an object of settings',
    ),
  }
}

/** Checked settings with the defaults filled in: lists are arrays. */
export type CompleteSettings = z.output<typeof baseSchema>

/** Settings as a config file may have them, without those of features. */
export type BaseFileSettings = z.input<typeof baseSchema>

/** Checked settings as they were set, without defaults. */
export type AsSet<T> = { [K in keyof T]?: T[K] | undefined }

export type BaseSettings = AsSet<CompleteSettings>

function origins() {
  return listOf(ORIGIN, 'a list of origins', 'an origin: scheme, host and port without a path')
}

function proxy() {
  const must = 'an IP address, or a subnet such as 10.0.0.0/8'
  return z.string(must).check(z.regex(PROXY, must), z.refine(isProxy, must))
}

function middlewareList() {
  const must = 'a list of built-in layers and middleware files'
  return z.union(
    [
      z.pipe(
        stringType(must),
        z.transform((one: string) => [one]),
      ),
      z.array(stringType('a built-in layer or the path of a file'), must),
    ],
    must,
  )
}
