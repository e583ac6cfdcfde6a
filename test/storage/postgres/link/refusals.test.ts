import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../../../src/index.ts'
import { exchange } from '../../../support/http/exchange.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'

const PASSWORD = 'correct-horse'
/** What PostgreSQL says, and nobody else should. */
const WORDS = 'the words of the server'

/** With a password, which the cluster does not ask for. */
function withPassword(address: string, options = ''): string {
  const url = address.replace('postgres@', `postgres:${PASSWORD}@`)
  return options ? `${url}&options=${encodeURIComponent(options)}` : url
}

describe.skipIf(!hasPostgres)(
  `what PostgreSQL refuses${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    const servers: RunningServer[] = []
    const lines: string[] = []
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.close()
    })
    async function serve(source: string): Promise<RunningServer> {
      const server = await start({ source, quiet: false, print: (line) => lines.push(line) })
      servers.push(server)
      return server
    }
    const ask = (server: RunningServer, method: string, path: string, body?: unknown) =>
      exchange(server.port, {
        method,
        path,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })

    /** Lets the next changes fail so many times: a sequence counts on when all else is rolled back. */
    async function failing(source: string, code: string, times: number): Promise<void> {
      const schema = /schema=(\w+)/.exec(source)?.[1]
      const client = new pg.Client(source.replace(/&schema=\w+/, ''))
      await client.connect()
      await client.query(`
        SET search_path = "${schema}";
        DROP SEQUENCE IF EXISTS faults;
        CREATE SEQUENCE faults;
        CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql SET search_path = "${schema}" AS $$
        BEGIN
          IF nextval('faults') <= ${times} THEN RAISE EXCEPTION '${WORDS}' USING ERRCODE = '${code}'; END IF;
          RETURN NEW;
        END $$;
        DROP TRIGGER IF EXISTS fail ON state;
        CREATE TRIGGER fail BEFORE UPDATE ON state FOR EACH ROW EXECUTE FUNCTION fail()`)
      await client.end()
    }

    it.each(['40001', '40P01'])('is tried again where others got in the way: %s', async (code) => {
      const source = await freshAddress()
      const server = await serve(withPassword(source))
      await failing(source, code, 3)
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((title) => ask(server, 'POST', '/posts', { title })),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      // Each once, with an id of its own.
      const posts = JSON.parse((await ask(server, 'GET', '/posts?id_gt=2')).body)
      expect(posts).toEqual(['a', 'b', 'c'].map((title, at) => ({ title, id: at + 3 })))
    })

    it('is told as 503 with what to do, without a word of PostgreSQL, and nothing is changed', async () => {
      const source = await freshAddress()
      const server = await serve(withPassword(source))
      const before = (await ask(server, 'GET', '/db')).body
      const codes = '40001 40P01 53100 53200 53300 55P03 57014 25006 42501 58030 XX000 57P01 22000'.split(' ')
      for (const code of codes) {
        await failing(source, code, 1000)
        const answer = await ask(server, 'POST', '/posts', { title: 'x' })
        const isKnown = code !== '22000'
        expect([code, answer.status, JSON.parse(answer.body)]).toEqual([
          code,
          isKnown ? 503 : 500,
          {
            error: expect.any(String),
            message: expect.any(String),
            code: isKnown ? 'SOURCE_UNAVAILABLE' : 'INTERNAL_ERROR',
          },
        ])
        expect(answer.body).not.toMatch(/the words|update|state|restable|sql|function/i)
        expect((await ask(server, 'GET', '/db')).body).toBe(before)
      }
      await failing(source, '40001', 0)
      expect((await ask(server, 'POST', '/posts', { title: 'x' })).status).toBe(201)
      expect(lines.join('\n')).not.toContain(PASSWORD)
    })

    it.each(['lock_timeout', 'statement_timeout'])(
      'is 503 for reads as well, where they take longer than %s allows, and goes on afterwards',
      async (limit) => {
        const source = await freshAddress()
        const server = await serve(withPassword(source, `-c ${limit}=1s`))
        const holder = new pg.Client(source.replace(/&schema=\w+/, ''))
        await holder.connect()
        await holder.query(`BEGIN; LOCK TABLE "${/schema=(\w+)/.exec(source)?.[1]}".c1`)
        const answers = await Promise.all(
          ['/posts', '/posts/1', '/db', '/comments?_expand=post'].map((path) => ask(server, 'GET', path)),
        )
        for (const { status, body } of answers) {
          expect([status, JSON.parse(body).code]).toEqual([503, 'SOURCE_UNAVAILABLE'])
          expect(body).not.toMatch(/lock_?timeout|statement|canceling/)
        }
        await holder.end()
        expect((await ask(server, 'GET', '/posts')).status).toBe(200)
      },
    )

    it('is 503 for changes alone where the database can only be read', async () => {
      const source = await freshAddress()
      await serve(source)
      const server = await serve(withPassword(source, '-c default_transaction_read_only=on'))
      expect((await ask(server, 'GET', '/posts')).status).toBe(200)
      const { status, body } = await ask(server, 'POST', '/posts', {})
      expect([status, JSON.parse(body)]).toMatchObject([
        503,
        { message: expect.stringContaining('only be read') },
      ])
    })
  },
)
