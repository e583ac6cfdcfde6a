import * as z from 'zod'
import { ORIGIN } from '../../layers/doors/_doors.ts'
import { HOST_NAME } from '../../layers/doors/allowed-hosts.ts'
import { isProxy, PROXY } from '../../layers/doors/trusted-proxies.ts'
import { resourcesSchema } from '../../resources/resource-settings.ts'
import { faultOptions } from './fault-options-schema.ts'
import { delayOptions, layerOptions } from './layer-options-schema.ts'
import { folders, listOf, text, toggle, whole } from './schema-words.ts'

/**
 * Every setting there is, in camelCase: the one place that types, validation and the JSON Schema come from.
 * The message of each check completes the sentence `"port" must be …`.
 */
export const settingsSchema = z.strictObject(
  {
    $schema: z
      .string('the address of a JSON Schema')
      .optional()
      .meta({ description: 'The JSON Schema that editors complete and check this file with' }),
    source: text('the path of a .json or .js file, or an http(s) or postgres URL')
      .optional()
      .meta({
        description:
          'What to serve: a JSON file, a JavaScript file, or the URL of JSON or of a PostgreSQL database',
        examples: ['db.json'],
      }),
    port: whole('a whole number from 0 to 65535', 0, 65_535)
      .optional()
      .meta({ description: 'Port to listen on; 0 picks a free one', default: 3000, examples: [3000] }),
    host: text('a host name or address')
      .optional()
      .meta({
        description: 'Address to listen on; use 0.0.0.0 to accept connections from other machines',
        default: 'localhost',
        examples: ['0.0.0.0'],
      }),
    watch: toggle('Reload data, routes and middleware files when they change'),
    quiet: toggle('Print only errors'),
    noCors: toggle('Send no CORS headers and no JSONP, so that other sites cannot read responses'),
    allowedHosts: listOf(HOST_NAME, 'a list of host names', 'a host name without a scheme or port')
      .optional()
      .meta({
        description: 'Host names the server answers to, besides localhost and IP addresses; others get 403',
        examples: [['app.test', '.example.com']],
      }),
    allowedOrigins: listOf(ORIGIN, 'a list of origins', 'an origin: scheme, host and port without a path')
      .optional()
      .meta({
        description: 'Origins whose pages may use the server, besides its own; others get 403',
        examples: [['http://localhost:5173', 'https://*.example.com']],
      }),
    trustedOrigins: listOf(ORIGIN, 'a list of origins', 'an origin: scheme, host and port without a path')
      .optional()
      .meta({
        description:
          'Origins whose pages may change the server itself, besides its own and those on this machine',
        examples: [['https://app.example.com']],
      }),
    trustedProxies: proxies()
      .optional()
      .meta({
        description:
          'Addresses and subnets of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed: who the client is, and whether it uses HTTPS',
        examples: [['127.0.0.1', '10.0.0.0/8']],
      }),
    sessions: sessionOptions()
      .optional()
      .meta({
        description: 'Limits of sessions, each of which has a copy of the data; false turns them off',
        examples: [{ max: 100 }, false],
      }),
    noGzip: toggle('Turn off compression'),
    readOnly: toggle('Allow only GET, HEAD, OPTIONS, and logins'),
    delay: delayOptions()
      .optional()
      .meta({
        description: 'Milliseconds to wait before each response, or the range the delay layer picks from',
        examples: [500, { min: 200, max: 1499 }],
      }),
    faults: faultOptions()
      .optional()
      .meta({
        description: 'Rules by which requests fail on purpose',
        examples: [{ rules: [{ match: { path: '/products/*' }, rate: 0.2, status: 503 }] }],
      }),
    noFaults: toggle('Turn off failures on demand: rules, Prefer and _status'),
    static: folders()
      .optional()
      .meta({
        description: 'Folder of static files, or a list of such: the first that has a file wins',
        default: './public',
        examples: ['public', ['public', 'dist']],
      }),
    snapshots: text('the path of a folder')
      .optional()
      .meta({ description: 'Folder for snapshots; none by default', examples: ['snapshots'] }),
    seed: text('the path of a .json or .js file, or an http(s) URL')
      .optional()
      .meta({
        description: 'What a missing data file is made from, and what a reset goes back to',
        examples: ['seed.json'],
      }),
    persist: toggle('Save changes to the data file', true),
    reads: z
      .enum(['current', 'near'], '"current" or "near"')
      .optional()
      .meta({
        description: 'Whether reads from a database wait until it is known that nothing is newer',
        default: 'current',
        examples: ['near'],
      }),
    routes: text('the path of a JSON file')
      .optional()
      .meta({ description: 'File with URL rewrite rules', examples: ['routes.json'] }),
    middlewares: middlewareList()
      .optional()
      .meta({
        description: 'Built-in layers by name and middleware files by path, in the order they run',
        examples: [['cors', 'logger', './my-middleware.js']],
      }),
    id: text('the name of a field')
      .optional()
      .meta({ description: 'Name of the primary key', default: 'id', examples: ['_id'] }),
    foreignKeySuffix: text('the end of a field name')
      .optional()
      .meta({ description: 'Suffix of foreign keys', default: 'Id', examples: ['_id'] }),
    bodyParser: toggle('Parse request bodies', true),
    cascade: toggle('DELETE also removes the rows that reference the deleted one'),
    upsert: toggle('PUT of an item that does not exist creates it'),
    strict: toggle('Refuse query parameters that have no effect with 400'),
    resources: resourcesSchema.optional().meta({
      description: 'What each resource is, by its name: rules that every write has to obey',
      examples: [{ users: { schema: 'schemas/user.json', unique: ['email'], timestamps: true } }],
    }),
    https: toggle('Serve over HTTPS, with a self-signed certificate unless ssl names one'),
    ssl: z
      .strictObject(
        {
          cert: text('the path of a certificate file').optional().meta({ description: 'Certificate, PEM' }),
          key: text('the path of a key file').optional().meta({ description: 'Private key, PEM' }),
        },
        'an object with cert and key',
      )
      .optional()
      .meta({ description: 'Your own certificate', examples: [{ cert: 'cert.pem', key: 'key.pem' }] }),
    hosted: hostedOptions()
      .optional()
      .meta({
        description: 'Serve fixed examples, as the hosted mock does',
        examples: ['public', { variant: 'private', key: 'hosted-private-key-001' }],
      }),
    ...layerOptions,
  },
  'an object of settings',
)

/** Validated settings: lists are arrays, and the hosted variant is an object. No defaults filled in. */
export type Settings = z.output<typeof settingsSchema>

interface HostedOptions {
  variant?: 'public' | 'private' | undefined
  key?: string | undefined
}

function hostedOptions() {
  const must = '"public", "private" or an object with variant and key'
  const variant = z.enum(['public', 'private'], must)
  const options = z.strictObject(
    {
      variant: z.enum(['public', 'private'], '"public" or "private"').optional(),
      key: text('the key that clients send').optional(),
    },
    must,
  )
  return z.union([variant.transform((word): HostedOptions => ({ variant: word })), options], must)
}

function proxies() {
  const must = 'an IP address, or a subnet such as 10.0.0.0/8'
  return z.array(
    z.string(must).regex(PROXY, must).refine(isProxy, must),
    'a list of IP addresses and subnets',
  )
}

function sessionOptions() {
  const must = 'false, or an object with max, idleMs and bytes'
  const count = (most: number) => whole(`a whole number from 1 to ${most}`, 1, most)
  return z.union(
    [
      z.literal(false, must),
      z.strictObject(
        {
          max: count(100_000)
            .optional()
            .meta({ description: 'How many sessions there may be', default: 1000 }),
          idleMs: count(2 ** 31 - 1)
            .optional()
            .meta({ description: 'Milliseconds without a request until a session ends', default: 1_800_000 }),
          bytes: count(Number.MAX_SAFE_INTEGER)
            .optional()
            .meta({ description: 'Memory for the rows that all sessions changed', default: 268_435_456 }),
        },
        must,
      ),
    ],
    must,
  )
}

function middlewareList() {
  const must = 'a list of built-in layers and middleware files'
  return z.union(
    [text(must).transform((one) => [one]), z.array(text('a built-in layer or the path of a file'), must)],
    must,
  )
}
