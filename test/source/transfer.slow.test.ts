import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { TransferProgress } from '../../src/source/transfer.ts'
import { exportData, importData } from '../../src/source/transfer.ts'
import { folderOf } from '../support/folder.ts'
import { serve } from '../support/http/serve.ts'
import { clusterFolder, freshAddress, hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'
import { Wire } from '../support/postgres/wire.ts'

/** Whatever PostgreSQL, or a way to send it, could take for something else. */
const ODD = [
  ...['\\', '\\N', '\\.', 'a\tb', 'a\nb\r\n', '"', "'", '\0', 'a\0b', '\ud800', '\ufffd', '😀', 'ä€', ''],
  ...['x'.repeat(5000), '😀'.repeat(3000)],
].map((text) => ({ id: text, text, inner: { text: [text] } }))
const NUMBERS = [0, -0, 1e21, 5e-324, 1.7976931348623157e308, -1.5, 0.1, 2 ** 53].map((number) => ({
  id: number,
  number,
}))
const ROWS: readonly unknown[] = [...ODD, ...NUMBERS, 1, 'a', null, [], [1, [2]], true, {}]

/** Nothing in it repeats, so that it cannot be compressed. */
const LONG_NAME = Array.from({ length: 2000 }, (_, at) =>
  String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)),
).join('')

const DATA = {
  $schema: './schema.json',
  items: Array.from({ length: 5000 }, (_, at) => ({ id: at + 1, name: `n${at}`, at: { deep: [at, null] } })),
  odd: ROWS,
  empty: [],
  one: { a: 1 },
}
const COUNTED = { resources: 5, rows: 5000 + ROWS.length }

describe.skipIf(!hasPostgres)(
  `data that moves into a database and back${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    let folder: string
    beforeEach(() => {
      folder = folderOf()
    })

    function write(data: unknown, name = 'db.json'): string {
      const file = join(folder, name)
      writeFileSync(file, typeof data === 'string' ? data : JSON.stringify(data))
      return file
    }

    it.each([
      ['posts.yaml', 'posts:\n  - id: 1\n    text: "#"\none:\n  a: 1\n'],
      ['posts.csv', 'id,text\n1,#\n'],
      ['posts.ndjson', '{"id":1,"text":"#"}\n'],
    ])('is exported in the format of its file: %s', async (name, text) => {
      const address = await freshAddress()
      await importData({ from: write({ posts: [{ id: 1, text: '#' }], one: { a: 1 } }), to: address })
      await exportData({ from: address, to: join(folder, name) })
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    })

    it('is not exported to a file that holds one collection, if it is not named after one', async () => {
      const address = await freshAddress()
      await importData({ from: write({ posts: [], users: [] }), to: address })
      const exported = exportData({ from: address, to: join(folder, 'all.csv') })
      await expect(exported).rejects.toThrow(
        /^export: the database has posts, users, and ".+all\.csv" holds one collection\./,
      )
      expect(readdirSync(folder)).toEqual(['db.json'])
    })

    async function stored(from: string): Promise<unknown> {
      const to = join(folder, 'stored.json')
      await exportData({ from, to, replace: true })
      return JSON.parse(readFileSync(to, 'utf8'))
    }

    async function connect(address: string): Promise<pg.Client> {
      const client = new pg.Client({ connectionString: address.replace(/&schema=\w+/, '') })
      await client.connect()
      onTestFinished(() => client.end())
      return client
    }

    it('is the same, byte for byte as /db shows it', async () => {
      const to = await freshAddress()
      const from = write(DATA)
      const inward: TransferProgress[] = []
      expect(await importData({ from, to, onProgress: (one) => inward.push(one) })).toEqual(COUNTED)
      const size = readFileSync(from).length
      expect(inward.at(-1)).toEqual({ rows: COUNTED.rows, totalRows: COUNTED.rows, bytes: size })
      const file = join(folder, 'out.json')
      const outward: TransferProgress[] = []
      const onProgress = (one: TransferProgress) => outward.push(one)
      expect(await exportData({ from: to, to: file, onProgress })).toEqual(COUNTED)
      const text = readFileSync(file, 'utf8')
      expect(outward.at(-1)).toEqual({
        rows: COUNTED.rows,
        totalRows: COUNTED.rows,
        bytes: Buffer.byteLength(text),
      })
      for (const told of [inward, outward]) {
        expect(told.length).toBeGreaterThan(2)
        expect(told.map(({ rows }) => rows)).toEqual(told.map(({ rows }) => rows).sort((a, b) => a - b))
      }
      expect(text).toBe(JSON.stringify(DATA, null, 2))
      const { url } = await serve({ source: to, port: 0, print: () => {} })
      expect(await (await fetch(`${url}/db`)).text()).toBe(text)
    })

    it('is in, though the database goes away before it has taken a look at it', async () => {
      const to = await freshAddress()
      const cluster = await clusterFolder()
      const wire = await Wire.start(cluster, 'vacuum')
      onTestFinished(() => wire.close())
      wire.holds = 'VACUUM'
      const importing = importData({ from: write(DATA), to: to.replace(cluster, wire.folder) })
      await expect.poll(() => wire.held, { timeout: 15_000 }).toBe(1)
      wire.cut('VACUUM')
      expect(await importing).toEqual(COUNTED)
      expect(JSON.stringify(await stored(to))).toBe(JSON.stringify(DATA))
    })

    it.each([
      ['import', 'FOR UPDATE', (from: string, to: string) => importData({ from, to, replace: true })],
      ['export', 'LIMIT', (file: string, from: string) => exportData({ from, to: file, replace: true })],
    ])('an %s takes as long as a statement takes, but ends once the database is silent', async (...row) => {
      const [name, statement, move] = row
      const [address, cluster] = [await freshAddress(), await clusterFolder()]
      const first = { items: DATA.items }
      await importData({ from: write(first), to: address })
      const wire = await Wire.start(cluster, name)
      onTestFinished(() => wire.close())
      wire.holds = statement
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const moved = move(write({ second: [{ id: 1 }] }), address.replace(cluster, wire.folder))
      let isOver = false
      const end = () => {
        isOver = true
      }
      moved.then(end, end)
      await expect.poll(() => wire.held).toBeGreaterThan(0)
      const untilEnd = async (most: number) => {
        let seconds = 0
        for (; !isOver && seconds < most; seconds += 2) {
          await vi.advanceTimersByTimeAsync(2000)
          // Takes as long as what is asked meanwhile.
          await connect(address)
        }
        return seconds
      }
      expect(await untilEnd(40)).toBe(40)
      wire.isStuck = true
      expect(await untilEnd(40)).toBeLessThan(35)
      await expect(moved).rejects.toThrow('cannot be reached')
      vi.useRealTimers()
      expect(await stored(address)).toEqual(first)
    })

    it('is what JSON.parse makes of it, whatever comes twice, and in which order', async () => {
      const to = await freshAddress()
      const many = JSON.stringify(DATA.items)
      const json = `\uFEFF{"b":${many},"10":[],"2":[1e400],"a":{"x":1},"b":[{"id":1}],"c":[1],"c":{"__proto__":1},"a":${many}}`
      expect(await importData({ from: write(json), to })).toEqual({ resources: 5, rows: 5002 })
      expect(JSON.stringify(await stored(to))).toBe(
        JSON.stringify(JSON.parse(json.slice(1).replace('1e400', 'null'))),
      )
    })

    it.each([
      ['nothing', {}],
      [
        'few rows that are huge',
        { a: Array.from({ length: 4 }, (_, id) => ({ id, text: 'xy'.repeat(800_000) })) },
      ],
      [
        'huge rows among many small ones',
        { a: [...DATA.items, { huge: 'z'.repeat(3_000_000) }, ...DATA.items] },
      ],
      [
        'under names longer than an index can hold',
        { [LONG_NAME]: [{ id: 1 }], [`${LONG_NAME}2`]: { a: 1 } },
      ],
    ])('is the same if it is %s', async (_, data) => {
      const to = await freshAddress()
      await importData({ from: write(data), to })
      const file = join(folder, 'out.json')
      await exportData({ from: to, to: file })
      // Not `toBe`: a difference would be printed.
      expect(readFileSync(file, 'utf8') === JSON.stringify(data, null, 2)).toBe(true)
    })

    it('can be copied into a collection of a server that goes on', async () => {
      const to = await freshAddress()
      await importData({ from: write({ a: [{ id: 1 }] }), to })
      const { url } = await serve({ source: to, port: 0, print: () => {} })
      const bulk = DATA.items.slice(0, 2000).map(({ name }) => ({ name }))
      const headers = { 'content-type': 'application/json' }
      const sent = await fetch(`${url}/a`, { method: 'POST', headers, body: JSON.stringify(bulk) })
      expect(sent.status).toBe(201)
      const last = await fetch(`${url}/a?_sort=id&_order=desc&_limit=1`)
      expect(last.headers.get('x-total-count')).toBe('2001')
      expect(await last.json()).toEqual([{ name: 'n1999', id: 2001 }])
    })

    it('comes between two changes of a server that goes on, and what was changed later stays', async () => {
      const to = await freshAddress()
      const from = write({ items: DATA.items })
      await importData({ from, to })
      const { ask } = await serve({ source: to, port: 0, print: () => {} })
      let isOver = false
      const storm = Array.from({ length: 4 }, async () => {
        while (!isOver) expect((await ask('POST', '/items', {})).status).toBe(201)
      })
      await importData({ from, to, replace: true })
      const { body: later } = await ask('POST', '/items', { a: 1 })
      isOver = true
      await Promise.all(storm)
      expect((await ask('GET', `/items/${later.id}`)).body).toEqual(later)
      expect(await stored(to)).toEqual((await ask('GET', '/db')).body)
    })

    it('replaces nothing unless it is told to', async () => {
      const to = await freshAddress()
      await importData({ from: write({ first: [{ id: 1 }] }), to })
      const second = write({ second: [{ id: 2 }] })
      await expect(importData({ from: second, to })).rejects.toThrow('has data already. Add --replace')
      expect(await stored(to)).toEqual({ first: [{ id: 1 }] })
      await importData({ from: second, to, replace: true })
      expect(await stored(to)).toEqual({ second: [{ id: 2 }] })
      await expect(exportData({ from: to, to: join(folder, 'stored.json') })).rejects.toThrow(
        'exists already. Add --replace',
      )
    })

    describe.each([
      ['into a schema that is new', false],
      ['into a schema that has data', true],
    ])('%s', (_, hasData) => {
      const text = JSON.stringify(DATA)

      it.each<[string, (to: string) => Promise<unknown>, string | RegExp]>([
        [
          'that is broken at its last byte',
          (to) => importData({ from: write(`${text}]`), to, replace: true }),
          `db.json is not valid JSON: expected the end of the text at line 1, column ${text.length + 1}.`,
        ],
        [
          'with a resource that is none, after all rows',
          (to) => importData({ from: write({ ...DATA, x: 5 }), to, replace: true }),
          'db.json has a number under "x"',
        ],
        [
          'that is stopped',
          (to) => {
            const stop = new AbortController()
            const onProgress = ({ rows }: TransferProgress) => rows > 1000 && stop.abort()
            return importData({ from: write(DATA), to, replace: true, signal: stop.signal, onProgress })
          },
          /aborted/,
        ],
        [
          'that is stopped while the database works on its own',
          async (to) => {
            const stop = new AbortController()
            // Another transaction is in the way of the first table.
            const client = await connect(to)
            const schema = /schema=(\w+)/.exec(to)?.[1]
            await client.query('BEGIN')
            if (hasData) await client.query(`SELECT 1 FROM "${schema}".state FOR UPDATE`)
            else await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`restable_${schema}`])
            const moved = importData({ from: write(DATA), to, replace: true, signal: stop.signal })
            const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> pg_backend_pid()`
            // Not in the transaction, which sees one moment of them.
            const observer = await connect(to)
            while ((await observer.query(waits)).rowCount === 0);
            stop.abort()
            return moved.finally(() => client.query('ROLLBACK'))
          },
          /aborted/,
        ],
        [
          'whose connection is lost',
          async (to) => {
            const client = await connect(to)
            let _killed: Promise<unknown> | undefined
            const onProgress = ({ rows }: TransferProgress) => {
              if (rows === 0) return
              _killed ??= client
                .query(
                  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE query LIKE 'INSERT INTO rows%' AND application_name = 'lost'`,
                )
                .then(({ rowCount }) => {
                  if (rowCount === 0) _killed = undefined
                })
            }
            const from = write({ a: Array(200_000).fill({ text: 'x'.repeat(100) }) })
            return importData({ from, to: `${to}&application_name=lost`, replace: true, onProgress })
          },
          /cannot be reached|terminating connection/,
        ],
      ])('an import %s leaves what was there', async (_name, move, message) => {
        const to = await freshAddress()
        if (hasData) await importData({ from: write({ first: [{ id: 1 }] }), to })
        await expect(move(to)).rejects.toThrow(message)
        if (hasData) expect(await stored(to)).toEqual({ first: [{ id: 1 }] })
        else await expect(stored(to)).rejects.toThrow('has no data')
      })
    })

    it.each([
      ['is stopped', (_: string, stop: AbortController) => stop.abort(), /aborted/],
      ['fails', () => expect.fail('it'), 'it'],
      [
        'finds that somebody else made the file',
        (file: string) => writeFileSync(file, 'theirs'),
        'exists already',
      ],
    ])('an export that %s leaves what was there, and nothing else', async (_, disturb, message) => {
      const from = await freshAddress()
      await importData({ from: write(DATA), to: from })
      const file = join(folder, 'out.json')
      const stop = new AbortController()
      let isFirst = true
      const onProgress = () => {
        if (isFirst) disturb(file, stop)
        isFirst = false
      }
      const moved = exportData({ from, to: file, signal: stop.signal, onProgress })
      await expect(moved).rejects.toThrow(message)
      expect(readdirSync(folder).filter((name) => name !== 'db.json')).toEqual(
        message === 'exists already' ? ['out.json'] : [],
      )
      if (existsSync(file)) expect(readFileSync(file, 'utf8')).toBe('theirs')
    })

    describe('an export to a stream', () => {
      /** A stream that takes what it gets when it is told to. */
      function slowStream() {
        const pieces: Buffer[] = []
        let take: (() => void) | undefined
        const stream = new Writable({
          write(piece, _, done) {
            pieces.push(piece)
            if (pieces.length === 1) take = done
            else done()
          },
        })
        const isStalled = () => expect.poll(() => take, { timeout: 20_000 }).toBeDefined()
        return { stream, isStalled, goOn: () => take?.(), text: () => Buffer.concat(pieces).toString() }
      }

      it('waits for as long as that takes, and leaves it open', async () => {
        // How long the database waits for somebody who has begun something and is not heard of.
        const patience = `options=${encodeURIComponent('-c idle_in_transaction_session_timeout=2s')}`
        const from = `${await freshAddress()}&${patience}`
        await importData({ from: write(DATA), to: from })
        const { stream, isStalled, goOn, text } = slowStream()
        const moved = exportData({ from, to: stream })
        await isStalled()
        await sleep(3500)
        goOn()
        expect(await moved).toEqual(COUNTED)
        expect([text() === JSON.stringify(DATA, null, 2), stream.writable]).toEqual([true, true])
      })

      it('ends when it is told to, though the stream takes nothing', async () => {
        const from = await freshAddress()
        await importData({ from: write(DATA), to: from })
        const { stream, isStalled } = slowStream()
        const stop = new AbortController()
        const moved = exportData({ from, to: stream, signal: stop.signal })
        await isStalled()
        stop.abort(new Error('enough'))
        await expect(moved).rejects.toThrow('enough')
      })

      it('says that it was closed', async () => {
        const from = await freshAddress()
        await importData({ from: write(DATA), to: from })
        const { stream, isStalled } = slowStream()
        const moved = exportData({ from, to: stream })
        await isStalled()
        stream.destroy()
        await expect(moved).rejects.toThrow(
          /^export: the output was closed .*part of the data is missing there\.$/,
        )
      })
    })

    it('has a schema of its own where one is named', async () => {
      const to = await freshAddress()
      await importData({ from: write({ a: [{ id: 1 }] }), to, schema: 'other_one' })
      await expect(stored(to)).rejects.toThrow('has no data')
      expect(await stored(to.replace(/schema=\w+/, 'schema=other_one'))).toEqual({ a: [{ id: 1 }] })
    })
  },
)

describe('an import or export that cannot be meant is refused with one line that says what to do', () => {
  const SECRET = 'postgres://user:secret@localhost:1/x'
  const TOO = 'postgres://user:secret@localhost:1/y'

  it.each<[string, string | undefined, string, string, string]>([
    [
      'swapped names',
      undefined,
      SECRET,
      'db.json',
      'are the wrong way round. Write: restable import db.json postgres:',
    ],
    ['two databases', undefined, SECRET, TOO, 'both are databases. Write: restable import'],
    [
      'two files',
      '{}',
      'db.json',
      'b.json',
      'the database is missing. Write: restable import db.json postgres:',
    ],
    ['what is not a .json file', undefined, 'db.txt', SECRET, 'db.txt" is not one. Write: restable import'],
    [
      'a URL',
      undefined,
      'http://u:secret@x/db',
      SECRET,
      'the file has to be a data file, as restable serves them, or a folder of them. Write',
    ],
    ['a file that is missing', undefined, 'db.json', SECRET, 'db.json" does not exist. Check the path.'],
    [
      'a file with another name',
      '{}',
      'bd.json',
      SECRET,
      /"[^"]*bd.json" does not exist. Did you mean .*db.json\?/.source,
    ],
    ['a folder', undefined, 'folder.json', SECRET, 'folder.json" is a folder. Name a file.'],
    [
      'a schema with odd characters',
      '{}',
      'db.json',
      `${SECRET}?schema=My%20"Team`,
      'the schema "My \\\\"Team" cannot be used',
    ],
    [
      'a database that does not answer',
      '{}',
      'db.json',
      SECRET,
      'cannot be reached \\(ECONNREFUSED\\). Check host and port',
    ],
  ])('import of %s', async (_, text, from, to, message) => {
    const folder = folderOf()
    mkdirSync(join(folder, 'folder.json'))
    if (text !== undefined) writeFileSync(join(folder, 'db.json'), text)
    const path = (name: string) => (/:/.test(name) ? name : join(folder, name))
    const error: unknown = await importData({ from: path(from), to: path(to) }).catch(
      (cause: unknown) => cause,
    )
    const said = error instanceof Error ? error.message : ''
    expect(said).toMatch(new RegExp(message))
    expect(said).not.toMatch(/secret|\n/)
  })

  it.each([
    ['swapped names', 'db.json', SECRET, 'are the wrong way round. Write: restable export postgres:'],
    ['a file', 'db.json', 'x.json', 'the database is missing. Write: restable export postgres:'],
    ['a database to what is not a data file', SECRET, 'db', '"db" is not one. Write: restable export'],
    ['a database to a folder', SECRET, `${tmpdir()}/../tmp.json/x.json`, 'there is no such folder. Make it'],
    ['a database that does not answer', SECRET, 'never-written.json', 'cannot be reached (ECONNREFUSED)'],
  ])('export of %s', async (_, from, to, message) => {
    const error: unknown = await exportData({ from, to }).catch((cause: unknown) => cause)
    const said = error instanceof Error ? error.message : ''
    expect(said).toContain(message)
    expect(said).not.toMatch(/secret|\n/)
    expect(existsSync('never-written.json')).toBe(false)
  })
})
