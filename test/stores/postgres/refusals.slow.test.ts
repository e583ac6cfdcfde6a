import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { checkServer } from '../../../src/stores/postgres/connections.ts'
import { isLost, isUnavailable } from '../../../src/stores/postgres/failures.ts'
import { checkMemory } from '../../../src/stores/postgres/open-postgres.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../support/postgres/cluster.ts'
import { StandIn } from '../../support/postgres/stand-in.ts'

const schemaOf = (address: string) => /schema=(\w+)/.exec(address)?.[1] ?? ''
const UNAVAILABLE = { code: 'SOURCE_UNAVAILABLE' }

describe.skipIf(!hasPostgres)(`what PostgreSQL refuses${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  const opened: StandIn[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  async function open(address: string): Promise<StandIn> {
    const one = await StandIn.open(address)
    opened.push(one)
    return one
  }

  /** Lets the next changes fail so many times: a sequence counts on when all else is rolled back. */
  const failing = (address: string, code: string, times: number) =>
    runIn(
      address,
      `SET search_path = "${schemaOf(address)}";
       DROP SEQUENCE IF EXISTS faults;
       CREATE SEQUENCE faults;
       CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql SET search_path = "${schemaOf(address)}" AS $$
       BEGIN
         IF nextval('faults') <= ${times} THEN RAISE EXCEPTION 'the words of the server' USING ERRCODE = '${code}'; END IF;
         RETURN NEW;
       END $$;
       DROP TRIGGER IF EXISTS fail ON state;
       CREATE TRIGGER fail BEFORE UPDATE ON state FOR EACH ROW EXECUTE FUNCTION fail()`,
    )

  it.each(['40001', '40P01'])('is tried again where others got in the way: %s', async (code) => {
    const address = await freshAddress()
    const one = await open(address)
    await failing(address, code, 3)
    expect(await Promise.all([one.add(), one.add()])).toEqual([{ id: 2 }, { id: 3 }])
    expect((await open(address)).data).toEqual({ items: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  })

  it('is told without a word of PostgreSQL, and nothing is changed', async () => {
    const address = await freshAddress()
    const one = await open(address)
    for (const code of '40001 40P01 53100 53200 53300 55P03 57014 25006 42501 58030 XX000 57P01'.split(' ')) {
      await failing(address, code, 1000)
      const refused = one.add()
      await expect(refused).rejects.toMatchObject(UNAVAILABLE)
      await expect(refused).rejects.not.toThrow(/the words/)
      expect(await one.read()).toEqual({ items: [{ id: 1 }] })
    }
    await failing(address, '40001', 0)
    expect(await one.add()).toEqual({ id: 2 })
  })

  it('is said of changes alone where the database can only be read', async () => {
    const address = await freshAddress()
    await open(address)
    const readOnly = encodeURIComponent('-c default_transaction_read_only=on')
    const one = await open(`${address}&options=${readOnly}`)
    expect(await one.read()).toEqual({ items: [{ id: 1 }] })
    await expect(one.add()).rejects.toThrow('only be read')
  })

  it('waits for others as long as they have the lock: a busy database is not a lost one', async () => {
    const address = await freshAddress()
    const one = await open(address)
    const holder = new pg.Client(address.replace(/&schema=\w+/, ''))
    await holder.connect()
    await holder.query(`BEGIN; SELECT 1 FROM "${schemaOf(address)}".state FOR UPDATE`)
    let isDone = false
    const added = one.add().then(() => {
      isDone = true
    })
    await new Promise((resolve) => setTimeout(resolve, 6000))
    expect(await one.read()).toEqual({ items: [{ id: 1 }] })
    await one.opened.store.check()
    expect(isDone).toBe(false)
    await holder.end()
    await added
  })

  it('does not take a server for hung that prepares a change for long, as that is heard of', async () => {
    const hung = encodeURIComponent('-c idle_in_transaction_session_timeout=2s')
    const one = await open(`${await freshAddress()}&options=${hung}`)
    await one.write(async (database) => {
      await new Promise((resolve) => setTimeout(resolve, 3500))
      return database.with('one', { a: 1 })
    })
    expect(await one.read()).toEqual({ items: [{ id: 1 }], one: { a: 1 } })
  })

  it('is a schema that lost its tables, until they are there again', async () => {
    const address = await freshAddress()
    const one = await open(address)
    const { secret } = one.opened.shared
    await one.add()
    await runIn(address, `DROP SCHEMA "${schemaOf(address)}" CASCADE`)
    const asked = [one.read(), one.add(), one.opened.images.names()]
    for (const told of await Promise.allSettled<unknown>(asked)) {
      expect(told).toMatchObject({
        reason: { ...UNAVAILABLE, message: expect.stringContaining('lost the tables') },
      })
    }
    await expect(one.opened.store.check()).rejects.toMatchObject(UNAVAILABLE)
    const two = await StandIn.open(address, { sample: () => ({ other: [] }) })
    opened.push(two)
    expect(await one.read()).toEqual({ other: [] })
    expect(one.heard).toEqual(['content'])
    expect(one.opened.shared.secret).toBe(two.opened.shared.secret)
    expect(secret).not.toBe(two.opened.shared.secret)
    await one.add()
  })

  it('is older data that somebody has put back: it is served as it is', async () => {
    const address = await freshAddress()
    const one = await open(address)
    await one.add()
    await runIn(
      address,
      `UPDATE "${schemaOf(address)}".state SET version = version - 1`,
      `DELETE FROM "${schemaOf(address)}".commits`,
      `DELETE FROM "${schemaOf(address)}".rows WHERE rank > 0`,
    )
    expect(await one.read()).toEqual({ items: [{ id: 1 }] })
    expect(await one.add()).toEqual({ id: 2 })
  })

  it.each([
    [6, true],
    [5, false],
  ])('is a user with too few connections: %i', async (limit, isEnough) => {
    const address = await freshAddress()
    const role = `r_${schemaOf(address)}`
    await runIn(
      address,
      `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${limit}`,
      `GRANT CREATE ON DATABASE postgres TO ${role}`,
    )
    const opening = open(address.replace('postgres@', `${role}@`))
    if (!isEnough) {
      await expect(opening).rejects.toThrow(
        /^source: postgres:\S+ cannot be opened: too many connections for role "\w+"\. A server needs 6 connections: raise/,
      )
      return
    }
    const one = await opening
    const asked = Array.from({ length: 30 }, () => [one.read(), one.add(), one.opened.shared.read('a')])
    await Promise.all([...asked.flat(), one.opened.images.save(['a']), one.opened.origin()])
  })

  it('is a server that is too old, or has another encoding', () => {
    expect(() => checkServer('12.22 (Debian 12.22-1)', 'UTF8')).toThrow(
      'source: the database is PostgreSQL 12.22 (Debian 12.22-1). Use version 13 or a newer one.',
    )
    expect(() => checkServer('18beta1', 'LATIN1')).toThrow('has the encoding LATIN1')
    checkServer('13.0', 'UTF8')
  })

  it('is a server so old that it knows none of our settings, said by its version', async () => {
    const message = (type: string, body: string) => {
      const length = Buffer.alloc(4)
      length.writeInt32BE(body.length + 4)
      return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
    }
    const greeting = [
      ...[message('R', '\0\0\0\0'), message('S', 'server_version\x009.6.24\0')],
      ...[message('K', '\0'.repeat(8)), message('Z', 'I')],
    ]
    const server = createServer((socket) => socket.once('data', () => socket.write(Buffer.concat(greeting))))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await expect(StandIn.open(`postgres://a@127.0.0.1:${port}/a`)).rejects.toThrow(
      /^source: the database is PostgreSQL 9\.6\.24\. Use version 13 or a newer one\.$/,
    )
    server.close()
  })

  it('is more than fits into memory, said with the numbers', () => {
    const heap = { heap_size_limit: 2 ** 31, used_heap_size: 2 ** 26 }
    checkMemory({ rows: 1_000_000, bytes: 250_000_000 }, heap as never)
    expect(() => checkMemory({ rows: 20_000_000, bytes: 5e9 }, heap as never)).toThrow(
      /^source: the 20,000,000 rows need about [\d,]+ MB of memory, and this process may use 2,048 MB\. Allow more, with NODE_OPTIONS=--max-old-space-size=\d+, or serve fewer rows\.$/,
    )
  })

  it.each([
    ...['ECONNREFUSED', 'EPROTO', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    ...['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('is not a connection that cannot be made: %s', (code) => {
    const error = Object.assign(new Error('what the system says'), { code })
    expect([isUnavailable(error), isLost(error)]).toEqual([true, true])
  })

  it.each(['42601', '22021', 'ERR_INVALID_ARG_TYPE', ''])('is not a mistake of ours: %j', (code) => {
    const error = Object.assign(new Error('what the server says'), { code })
    expect([isUnavailable(error), isLost(error)]).toEqual([false, false])
  })
})
