import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { loadCertificate } from '../../../src/features/https/certificate.ts'
import { maskAddress } from '../../../src/stores/postgres/address.ts'
import { openPostgres } from '../../../src/stores/postgres/open-postgres.ts'
import { freePort } from '../../support/child/free-port.ts'
import { folderForCluster, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { findPrograms, startCluster, stopCluster } from '../../support/postgres/run-cluster.ts'

/** Every character in it means something in a URL. */
const PASSWORD = 'p@ss/w:rd?#%'
/** Only `?` and `#` cannot be in it. */
const DATABASE = "my d/b'%:@&=+$,;ü"
const ESCAPED = encodeURIComponent(PASSWORD)
const HTTP = 'HTTP/1.1 400 Bad Request\r\n\r\n'

describe.skipIf(!hasPostgres)(
  `the address of a database over TCP${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    const folder = hasPostgres ? folderForCluster() : ''
    let port = 0
    beforeAll(async () => {
      port = await freePort()
      const tls = await loadCertificate(undefined, join(folder, 'tls'))
      startCluster(folder, findPrograms() ?? '', { tcp: { port, password: 'of the admin', tls } })
      const admin = new pg.Client(`postgres://postgres@localhost:${port}/postgres?host=${folder}`)
      await admin.connect()
      for (const statement of [
        `CREATE ROLE mock LOGIN PASSWORD '${PASSWORD}'`,
        "CREATE DATABASE mock OWNER mock ENCODING 'UTF8' TEMPLATE template0",
        `CREATE DATABASE "${DATABASE}" OWNER mock ENCODING 'UTF8' TEMPLATE template0`,
        `CREATE ROLE guest LOGIN PASSWORD '${PASSWORD}'`,
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0 OWNER mock",
      ]) {
        await admin.query(statement)
      }
      await admin.end()
    }, 60_000)
    afterAll(() => {
      stopCluster(folder)
      rmSync(folder, { recursive: true, force: true })
    }, 60_000)
    afterEach(() => vi.unstubAllEnvs())

    /** PORT, FOLDER and PASSWORD stand for what only a run knows. */
    const filledIn = (address: string) =>
      address.replaceAll('PORT', `${port}`).replaceAll('FOLDER', folder).replaceAll('PASSWORD', ESCAPED)
    async function open(address: string): Promise<readonly string[]> {
      const sample = () => ({ items: [{ id: 1 }] })
      const { store, database } = await openPostgres(filledIn(address), { sample })
      await store.close()
      return database.names()
    }

    it.each<[string, string, Record<string, string>?]>([
      ['a password with special characters, escaped', 'postgres://mock:PASSWORD@127.0.0.1:PORT/mock'],
      [
        'a name with special characters, escaped',
        `postgres://mock:PASSWORD@127.0.0.1:PORT/${encodeURIComponent(DATABASE)}`,
      ],
      ['the other spelling of the scheme', 'postgresql://mock:PASSWORD@localhost:PORT/mock'],
      ['IPv6', 'postgres://mock:PASSWORD@[::1]:PORT/mock'],
      ['a database that has the name of its user', 'postgres://mock:PASSWORD@127.0.0.1:PORT'],
      ['no TLS', 'postgres://mock:PASSWORD@127.0.0.1:PORT/mock?sslmode=disable'],
      ['TLS that is not verified', 'postgres://mock:PASSWORD@127.0.0.1:PORT/mock?sslmode=no-verify'],
      [
        'TLS that is verified',
        'postgres://mock:PASSWORD@localhost:PORT/mock?sslmode=require&sslrootcert=FOLDER/cert.pem',
      ],
      ['a socket, as psql writes it', 'postgres://mock@/mock?host=FOLDER&port=PORT'],
      ['PGPASSWORD', 'postgres://mock@127.0.0.1:PORT/mock', { PGPASSWORD: PASSWORD }],
      [
        'PGHOST and all the others',
        'postgres://',
        { PGHOST: '127.0.0.1', PGPORT: 'PORT', PGUSER: 'mock', PGDATABASE: 'mock', PGPASSWORD: PASSWORD },
      ],
    ])('may have %s', async (_, address, env = {}) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, filledIn(value))
      expect(await open(address)).toEqual(['items'])
    })

    it.each<[string, string, RegExp]>([
      [
        'a wrong password',
        'postgres://mock:s3cret@127.0.0.1:PORT/mock',
        /password authentication failed for user "mock"\. Check user and password\. In a password, write @ as %40/,
      ],
      [
        'no password',
        'postgres://mock@127.0.0.1:PORT/mock',
        /needs a password\. Put it into the address, or/,
      ],
      [
        'a password that is not escaped',
        'postgres://mock:p@s3cret/w:rd@127.0.0.1:PORT/mock',
        /cannot be reached \(E\w+\)\. .* write @ as %40, \/ as %2F/,
      ],
      [
        'one that Latin-1 escaped',
        'postgres://mock:s3cret%E4@127.0.0.1:PORT/mock',
        /cannot be read\. In a pass/,
      ],
      [
        'an unknown user',
        'postgres://who:s3cret@127.0.0.1:PORT/mock',
        /failed for user "who"\. Check user and/,
      ],
      [
        'an unknown database',
        'postgres://mock:PASSWORD@127.0.0.1:PORT/nope',
        /"nope" does not exist\. Create it:/,
      ],
      [
        'an unknown host',
        'postgres://mock:s3cret@no.invalid:PORT/mock',
        /reached \(E\w+\)\. Check host and port/,
      ],
      [
        'a port that nobody has',
        'postgres://mock:s3cret@127.0.0.1:1/mock',
        /reached \(ECONNREFUSED\)\. Check host/,
      ],
      [
        'TLS whose certificate nobody knows',
        'postgres://mock:PASSWORD@localhost:PORT/mock?sslmode=require',
        /certificate that cannot be verified\. Name its authority with sslrootcert=FILE/,
      ],
      [
        'a file that is not there',
        'postgres://mock:PASSWORD@localhost:PORT/mock?sslmode=verify-full&sslrootcert=FOLDER/none.pem',
        /names a file that does not exist\. Check sslrootcert/,
      ],
      [
        'another sslmode',
        'postgres://mock:s3cret@localhost:PORT/mock?sslmode=prefer',
        /Use one of disable, no-v/,
      ],
      [
        'a misspelled schema',
        'postgres://mock:s3cret@localhost:PORT/mock?shema=a',
        /"shema"\. Did you mean schema=/,
      ],
      [
        'a user who may make no schema',
        'postgres://guest:PASSWORD@127.0.0.1:PORT/mock?schema=guests',
        /permission denied for database mock\. .* GRANT CREATE ON DATABASE/,
      ],
      [
        'a schema of another user',
        'postgres://guest:PASSWORD@127.0.0.1:PORT/mock',
        /permission denied for schema restable\. The schema has to belong to the user/,
      ],
      [
        'another encoding',
        'postgres://mock:PASSWORD@127.0.0.1:PORT/latin',
        /LATIN1\. Use one that is created with/,
      ],
    ])('with %s is refused in one line that says what to do', async (_, address, reason) => {
      const error = await open(address).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(ConfigError)
      expect(String(error)).toMatch(reason)
      expect(String(error)).not.toMatch(/\n|s3cret|w:rd/)
      expect(String(error)).not.toContain(PASSWORD)
      expect(String(error)).not.toContain(ESCAPED)
    })

    it('needs no right to make a schema where there is one', async () => {
      const admin = new pg.Client(`postgres://postgres@localhost:${port}/mock?host=${folder}`)
      await admin.connect()
      await admin.query('CREATE SCHEMA given AUTHORIZATION guest')
      await admin.end()
      expect(await open('postgres://guest:PASSWORD@127.0.0.1:PORT/mock?schema=given')).toEqual(['items'])
    })

    it.each<[string, string, string, RegExp]>([
      ['does not speak TLS', '?sslmode=require', 'N', /does not speak TLS\. Leave sslmode out/],
      [
        'is something else',
        '?sslmode=require',
        HTTP,
        /does not answer as PostgreSQL does\. Check host and port/,
      ],
      ['is something else', '', HTTP, /cannot be reached\. Check host and port/],
      ['hangs up', '', '', /cannot be reached\. Check host and port/],
    ])('of a server that %s is refused likewise: %s', async (_, query, answer, reason) => {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.end(answer))
      })
      const other = await freePort()
      await once(server.listen(other, '127.0.0.1'), 'listening')
      const error = await open(`postgres://mock:s3cret@127.0.0.1:${other}/mock${query}`).catch(String)
      server.close()
      expect(error).toMatch(reason)
      expect(error).not.toMatch(/\n|s3cret/)
    })
  },
)

describe('an address as people may see it', () => {
  it.each([
    ['postgres://me:s3cret@host/db', 'postgres://me:***@host/db'],
    ['postgres://me:s3cret@host:5432/db?schema=a', 'postgres://me:***@host:5432/db?schema=a'],
    ['postgres://me:s3/c:r@e?t@host/db', 'postgres://me:***@host/db'],
    ['postgres://us/er:s3cret@host/db', 'postgres://us/er:***@host/db'],
    ['postgres://us?er:s3cret@host/db?schema=a', 'postgres://us?er:***@host/db?schema=a'],
    ['postgres://us#er:s3:cr@t@host:5432/db', 'postgres://us#er:***@host:5432/db'],
    ['postgres://me:s3\ncret@host/db', 'postgres://me:***@host/db'],
    ['postgres://me@server:s3cret@host/db', 'postgres://me@server:***@host/db'],
    ['postgres://:s3cret@host/db', 'postgres://:***@host/db'],
    ['postgres:me:s3cret@host/db', 'postgres:me:***@host/db'],
    ['me:s3cret@host/db', 'me:***@host/db'],
    ['postgres://host/db?user=me&password=s3cret&x=1', 'postgres://host/db?user=me&password=***&x=1'],
    ['postgres://me@host:5432/db', 'postgres://me@host:5432/db'],
    ['postgres://host:5432/db', 'postgres://host:5432/db'],
    ['postgres:///db?host=/tmp', 'postgres:///db?host=/tmp'],
  ])('%s has no password: %s', (address, shown) => {
    expect(maskAddress(address)).toBe(shown)
  })
})
