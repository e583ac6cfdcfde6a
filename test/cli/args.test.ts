import { describe, expect, it } from 'vitest'
import { parseArgs } from '../../src/cli/args.ts'
import { FLAGS } from '../../src/cli/flags.ts'
import { help } from '../../src/cli/help.ts'
import { ConfigError } from '../../src/core/kernel/catalogue/error-classes.ts'

function words(line: string): string[] {
  return line.split(' ').filter((word) => word !== '')
}

describe('parseArgs', () => {
  it.each([
    ['', {}],
    ['db.json', { source: 'db.json' }],
    ['--watch db.json --port 3004', { source: 'db.json', watch: true, port: 3004 }],
    ['db.json -p 0', { source: 'db.json', port: 0 }],
    ['db.json -p3005', { source: 'db.json', port: 3005 }],
    ['-H 0.0.0.0', { host: '0.0.0.0' }],
    ['-w', { watch: true }],
    ['-r routes.json', { routes: 'routes.json' }],
    ['-m a.js b.js', { middlewares: ['a.js', 'b.js'] }],
    ['-m a.js -m b.js', { middlewares: ['a.js', 'b.js'] }],
    ['-m a.js -w db.json', { middlewares: ['a.js'], watch: true, source: 'db.json' }],
    ['-m a.js db.json', { middlewares: ['a.js'], source: 'db.json' }],
    ['-s www', { static: 'www' }],
    ['-s www -s dist', { static: ['www', 'dist'] }],
    ['--static www db.json --static=dist', { static: ['www', 'dist'], source: 'db.json' }],
    ['--ro', { readOnly: true }],
    ['--read-only', { readOnly: true }],
    ['--readOnly', { readOnly: true }],
    ['--nc', { noCors: true }],
    ['--no-cors', { noCors: true }],
    ['--noCors', { noCors: true }],
    ['--ng', { noGzip: true }],
    ['--no-gzip', { noGzip: true }],
    ['--noGzip', { noGzip: true }],
    ['-S snaps', { snapshots: 'snaps' }],
    ['-d 500', { delay: 500 }],
    ['db.json --proxy http://a.b/c', { source: 'db.json', proxy: { target: 'http://a.b/c' } }],
    ['--proxy http://a.b --record', { proxy: { target: 'http://a.b', mode: 'record' } }],
    ['--proxy http://a.b --record=false', { proxy: { target: 'http://a.b' } }],
    ['-i _id', { id: '_id' }],
    ['--fks _id', { foreignKeySuffix: '_id' }],
    ['--foreignKeySuffix _id', { foreignKeySuffix: '_id' }],
    ['--foreign-key-suffix=_id', { foreignKeySuffix: '_id' }],
    ['-q', { quiet: true }],
    ['--ssl', { https: true }],
    ['--https', { https: true }],
    ['--cert c.pem --key k.pem', { ssl: { cert: 'c.pem', key: 'k.pem' } }],
    ['--cascade', { cascade: true }],
    ['--hosted private', { hosted: { variant: 'private' } }],
    ['--no-watch --quiet=false --no-https', { watch: false, quiet: false, https: false }],
    ['--port 1 --port 2', { port: 2 }],
    ['serve db.json', { source: 'db.json' }],
    ['start -w db.json', { source: 'db.json', watch: true }],
    ['run db.json --port 1', { source: 'db.json', port: 1 }],
    ['serve', {}],
    ['http://example.com/db.json', { source: 'http://example.com/db.json' }],
  ])('reads "%s"', (line, settings) => {
    expect(parseArgs(words(line))).toEqual({ kind: 'start', settings })
  })

  it.each([
    ['-c my.json', 'my.json'],
    ['--config my.json', 'my.json'],
  ])('reads the config file of "%s"', (line, config) => {
    expect(parseArgs(words(line))).toEqual({ kind: 'start', settings: {}, config })
  })

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['db.json --prot -h', 'help'],
    ['--version', 'version'],
    ['-v', 'version'],
    ['help', 'help'],
    ['version', 'version'],
  ])('answers "%s" with %s', (line, kind) => {
    expect(parseArgs(words(line))).toEqual({ kind })
  })

  it.each(['--help all', '-h all', 'all --help', 'db.json --help all', 'help all'])(
    'answers "%s" with all flags',
    (line) => {
      expect(parseArgs(words(line))).toEqual({ kind: 'help', of: 'all' })
    },
  )

  it.each([
    ['db.json 3001', '"3001" is not a source. For the port, write: restable db.json --port 3001'],
    ['db.json port=3001', '"port=3001" is not a source. For the port, write: restable db.json --port 3001'],
    ['db.json host=::1', '"host=::1" is not a source. For a flag, write: restable db.json --host ::1'],
    ['--prot 3000', 'Unknown flag --prot. Did you mean --port?'],
    ['--middleware a.js', 'Unknown flag --middleware. Did you mean --middlewares?'],
    ['--nocors', 'Unknown flag --nocors. Did you mean --no-cors?'],
    ['--zebra', 'Unknown flag --zebra. See restable --help.'],
    ['-x', 'Unknown flag -x. See restable --help.'],
    [
      'postgres://me@host/db --schema team_a',
      '--schema is a flag of restable import and export. To serve one, name it in the address: postgres://…/database?schema=team_a',
    ],
    ['db.json --replace', '--replace is a flag of restable import and export.'],
    ['--port abc', '--port must be a whole number from 0 to 65535, not "abc". For example: --port 3001'],
    ['--port 65536', '--port must be a whole number from 0 to 65535, not "65536". For example: --port 3001'],
    ['--port -1', '--port must be a whole number from 0 to 65535, not "-1". For example: --port 3001'],
    ['--port', '--port needs a value. For example: --port 3001'],
    [
      '--delay soon',
      '--delay must be a whole number from 0 to 2147483647, not "soon". For example: --delay 500',
    ],
    ['--routes', '--routes needs a value. For example: --routes routes.json'],
    ['-m', '--middlewares needs at least one value. For example: --middlewares cors ./auth.js'],
    ['--hosted secret', '--hosted must be public or private, not "secret". For example: --hosted public'],
    [
      'a.json b.js',
      'Too many sources: a.json b.js. Only data files can be served together. For the rest, start another server: restable b.js --port 3001',
    ],
    ['typs db.json', 'There is no command "typs". Did you mean restable types? See restable --help.'],
    [
      'typs db.json --out types.d.ts',
      'There is no command "typs". Did you mean restable types? See restable --help.',
    ],
    ['grwo products=5', 'There is no command "grwo". Did you mean restable grow? See restable --help.'],
    [
      'import a.json postgres://h/db --replace=yes',
      '--replace must be true or false, not "yes". For example: --replace',
    ],
    ['--read-only=yes', '--read-only must be true or false, not "yes". For example: --read-only'],
    ['--noCors=1', '--no-cors must be true or false, not "1". For example: --no-cors'],
    ['-w=on', '--watch must be true or false, not "on". For example: --watch'],
    [
      'postgres://me:s3cret@host/db postgres://you:s3cret@host/db',
      'Too many sources: postgres://me:***@host/db postgres://you:***@host/db. Only data files can be served together. For the rest, start another server: restable postgres://you:***@host/db --port 3001',
    ],
    [
      'postgres://me:s3cret@host/db 3001',
      '"3001" is not a source. For the port, write: restable postgres://me:***@host/db --port 3001',
    ],
  ])('refuses "%s" in one line', (line, message) => {
    expect(() => parseArgs(words(line))).toThrow(new ConfigError(message))
  })
})

describe('help', () => {
  it.each([undefined, 'all'] as const)('fits in 80 columns and has no trailing spaces: %s', async (of) => {
    for (const line of (await help(of)).split('\n')) expect(line).toMatch(/^(.{0,79}\S)?$/)
  })

  it('fits on a screen, with the flags that most people use, and says how to see the others', async () => {
    const text = await help()
    expect(text.split('\n').length).toBeLessThanOrEqual(60)
    for (const name of ['port', 'watch', 'read-only', 'middlewares', 'delay', 'config']) {
      expect(text).toMatch(new RegExp(` --${name}\\b`))
    }
    expect(text).toContain('restable --help all')
  })

  it('names every flag with its aliases, if asked for all', async () => {
    const text = await help('all')
    for (const { name, alias } of FLAGS) {
      expect(text).toMatch(new RegExp(` --${name}\\b`))
      if (alias !== undefined) expect(text).toMatch(new RegExp(` --?${alias}\\b`))
    }
  })
})

describe('restable grow', () => {
  it.each([
    ['grow db.json products=500', { settings: { source: 'db.json' }, counts: { products: 500 } }],
    ['grow a=1 b=2', { settings: {}, counts: { a: 1, b: 2 } }],
    [
      'grow db.json x=y=3 --seed 7 -o more.json -c my.json --fks _id',
      {
        settings: { source: 'db.json', foreignKeySuffix: '_id' },
        counts: { 'x=y': 3 },
        seed: 7,
        out: 'more.json',
        config: 'my.json',
      },
    ],
  ])('reads "%s"', (line, command) => {
    expect(parseArgs(words(line))).toEqual({ kind: 'grow', ...command })
  })

  it.each([
    ['grow', 'say how many rows. Write: restable grow db.json products=500'],
    ['grow db.json', 'say how many rows'],
    ['grow db.json products=', 'products= must be followed by a number of rows'],
    ['grow db.json products=-5', 'products= must be followed by a number of rows'],
    ['grow db.json products=0', 'products= must be followed by a number of rows'],
    ['grow db.json a=1 --seed seed.json', '--seed must be a whole number'],
    ['grow db.json other a=1', 'Too many sources'],
    ['grow db.json a=1 --replace', '--replace is a flag of restable import and export'],
  ])('refuses "%s"', (line, message) => {
    expect(() => parseArgs(words(line))).toThrow(message)
  })

  it('has a page of help', async () => {
    expect(parseArgs(words('grow --help'))).toEqual({ kind: 'help', of: 'grow' })
    expect(await help('grow')).toContain('Add rows like those that are there')
    expect(await help()).toContain('restable grow [source] NAME=COUNT…')
  })
})

it.each(['types', 'openapi', 'grow', 'import', 'export'] as const)(
  'shows every example of %s on one line',
  async (command) => {
    const [, after = ''] = (await help(command)).split('Examples:\n')
    const [examples = ''] = after.split('\n\n')
    expect(examples.split('\n').filter((line) => !/^ {2}(restable|gunzip) /.test(line))).toEqual([])
  },
)

it('names a file of the right kind for --watch', () => {
  expect(() => parseArgs(words('openapi db.json --watch'))).toThrow(
    'restable openapi --out openapi.json --watch',
  )
})
