import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Database } from '../../src/core/engine/data/database.ts'
import { Engine } from '../../src/core/engine/engine.ts'
import { create, defaults, type RouterOptions, router } from '../../src/index.ts'
import { DataFiles } from '../../src/stores/file/data-files.ts'
import { FileStore } from '../../src/stores/file/file-store.ts'
import { openPostgres } from '../../src/stores/postgres/open-postgres.ts'
import { silenceConsole } from '../support/console.ts'
import { folderOf } from '../support/folder.ts'
import { type Answer, type Ask, asCurl, exchange } from '../support/http/exchange.ts'
import { runs } from '../support/length.ts'
import { type Session, session } from '../support/model/random-requests.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'

silenceConsole('error', 'warn')

/** Both make up the same ids: their answers are to be the same, byte for byte. */
const made = vi.hoisted(() => ({ ids: 0 }))
vi.mock('../../src/core/kernel/util/random-id.ts', async (load) => {
  const real = await load<typeof import('../../src/core/kernel/util/random-id.ts')>()
  const id = (size?: number) =>
    size === 7 ? `made-${String(made.ids++).padStart(2, '0')}` : real.randomId(size)
  return { ...real, randomId: id }
})

const { numRuns } = runs(8, 500)

const naming = { id: 'id', foreignKeySuffix: 'Id' }

const SETUPS: readonly [name: string, options: RouterOptions][] = [
  ['without rules', {}],
  [
    'with rules, cascade and upsert',
    {
      cascade: true,
      upsert: true,
      resources: {
        users: {
          unique: ['email', ['name', 'n']],
          schema: { properties: { n: { maximum: 9, default: 4 } } },
        },
        posts: { references: { userId: { resource: 'users', onDelete: 'restrict' } } },
        comments: {
          references: {
            postId: { resource: 'posts', onDelete: 'cascade' },
            userId: { resource: 'users', onDelete: 'null' },
          },
        },
      },
    },
  ],
]

describe.skipIf(!hasPostgres)(
  `random requests on random data get the same from a file and from PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    const folder = folderOf()
    const file = join(folder, 'db.json')
    const engines: Engine[] = []
    beforeAll(async () => {
      writeFileSync(file, '{}')
      const content = Database.of({})
      const { database, ...stored } = await openPostgres(await freshAddress(), { sample: () => ({}) })
      engines.push(
        new Engine(content, { ...naming, store: new FileStore(new DataFiles(file), content) }),
        new Engine(database, { ...naming, ...stored }),
      )
    })
    afterAll(async () => {
      for (const engine of engines) await engine.close()
    })

    it.each(SETUPS)('%s', async (_, options) => {
      for (const engine of engines) await engine.useRules(undefined)
      const servers = engines.map((engine) =>
        createServer(
          create()
            .use(defaults({ logger: false }))
            .use(router(engine, options)),
        ).listen(0, '127.0.0.1'),
      )
      const ports = await Promise.all(servers.map(listening))
      let asked = 0
      const play = async ({ data, asks }: Session) => {
        const text = JSON.stringify(data)
        for (const engine of engines) await engine.write({ kind: 'replace-database', data: JSON.parse(text) })
        let etag = '"none"'
        for (const ask of [...asks, { method: 'GET', path: '/db' }]) {
          asked++
          const answers: Answer[] = []
          for (const port of ports) {
            made.ids = 0
            answers.push(await exchange(port, withTag(ask, etag)))
          }
          const [expected, answer] = answers.map(comparable)
          expect(answer, asCurl(ports[1] ?? 0, withTag(ask, etag))).toEqual(expected)
          expect(expected?.status, JSON.stringify(expected)).toBeLessThan(500)
          etag = expected?.headers.etag ?? etag
        }
        // What was answered is what is kept.
        const db = await exchange(ports[1] ?? 0, { method: 'GET', path: '/db' })
        expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(db.body))
      }
      try {
        await fc.assert(fc.asyncProperty(session, play), { numRuns, endOnFailure: true })
      } finally {
        for (const server of servers) server.close().closeAllConnections()
      }
      expect(asked).toBeGreaterThan(numRuns * 15)
    })
  },
)

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.once('listening', () => resolve((server.address() as AddressInfo).port))
  })
}

function withTag(ask: Ask, etag: string): Ask {
  const entries = Object.entries(ask.headers ?? {}).map(([name, value]) => [
    name,
    value.replace('{etag}', etag),
  ])
  return { ...ask, headers: Object.fromEntries(entries) }
}

/** Where and when it was sent is each server's own. */
function comparable({ status, headers, body }: Answer): Answer {
  const { date: _, ...rest } = headers
  const anywhere = (text: string) => text.replace(/127\.0\.0\.1:\d+/g, 'HOST')
  const shown = Object.entries(rest).map(([name, value]) => [name, anywhere(value)])
  return { status, headers: Object.fromEntries(shown), body: anywhere(body) }
}
