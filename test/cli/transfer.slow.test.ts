import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { help } from '../../src/cli/help.ts'
import { ProgressBar } from '../../src/cli/transfer.ts'
import { exportData, importData, type TransferProgress } from '../../src/index.ts'
import { endLaunched, launch } from '../support/child/launch.ts'
import { folderOf } from '../support/folder.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../support/postgres/cluster.ts'

describe.skipIf(!hasPostgres)(`restable import and export${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  let cwd: string
  beforeEach(() => {
    cwd = folderOf()
  })
  afterEach(() => {
    endLaunched()
  })

  it('take data from a pipe, and bring back more than there is memory', async () => {
    // Less than the data takes as one string.
    const env = { NODE_OPTIONS: '--max-old-space-size=64' }
    const address = await freshAddress()
    const row = { text: 'x'.repeat(100_000), small: Array.from({ length: 50 }, (_, at) => ({ at })) }
    const text = JSON.stringify(row)
    const [rows, size] = [700, 700 * (text.length + 1)]
    expect(size).toBeGreaterThan(64 * 1024 * 1024)
    const imported = launch(['import', '-', address], { cwd, stdin: 'pipe' })
    const input = imported.child.stdin
    input?.on('error', () => {})
    input?.write('{"a":[')
    for (let at = 0; at < rows; at++) {
      if (!input?.write(`${at ? ',' : ''}${text}`))
        await new Promise((drained) => input?.once('drain', drained))
    }
    input?.end(']}')
    expect(await imported.ended).toBe(0)
    expect(imported.stdout()).toMatch(/^700 rows of 1 resource: standard input → postgres:\S+\n$/)
    const exported = launch(['export', address, 'out.json'], { cwd, env })
    expect(await exported.ended).toBe(0)
    const written = readFileSync(join(cwd, 'out.json'), 'utf8')
    const pretty = JSON.stringify({ a: [row] }, null, 2)
    const [start, end] = ['{\n  "a": [\n', '\n  ]\n}']
    const item = pretty.slice(start.length, -end.length)
    expect(written === start + Array(rows).fill(item).join(',\n') + end).toBe(true)
  }, 90_000)

  /** An import whose rows are on their way into the database, and take a while. */
  async function startLong(address: string, ...flags: readonly string[]) {
    const schema = /schema=(\w+)/.exec(address)?.[1]
    const to = `${address}&application_name=${schema}`
    const imported = launch(['import', '-', to, ...flags], { cwd, stdin: 'pipe' })
    const rows = Array.from({ length: 200_000 }, (_, id) => JSON.stringify({ id, text: 'x'.repeat(100) }))
    imported.child.stdin?.on('error', () => {})
    imported.child.stdin?.end(`{"a":[${rows.join(',')}]}`)
    const adding = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'INSERT INTO rows%' AND application_name = $1`
    const client = new pg.Client({ connectionString: address.replace(/&schema=\w+/, '') })
    await client.connect()
    while ((await client.query(adding, [schema])).rowCount === 0);
    await client.end()
    return imported
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stop at %s: one line, exit code 130, and nothing is changed',
    async (signal) => {
      const address = await freshAddress()
      const imported = await startLong(address)
      imported.child.kill(signal)
      expect(await imported.ended).toBe(130)
      expect(imported.stderr()).toBe('The import was interrupted: nothing was changed.\n')
      const exported = launch(['export', address, 'out.json'], { cwd })
      expect(await exported.ended).toBe(1)
      expect(exported.stderr()).toMatch(
        /^export: the schema \w+ has no data\. Name another with --schema\.\n$/,
      )
      expect(readdirSync(cwd)).toEqual([])
    },
  )

  it('leave what was there when they are killed, and get in nobody’s way then', async () => {
    const address = await freshAddress()
    const bring = (data: object, replace = true) => {
      writeFileSync(join(cwd, 'db.json'), JSON.stringify(data))
      return importData({ from: join(cwd, 'db.json'), to: address, replace })
    }
    const stored = async () => {
      await exportData({ from: address, to: join(cwd, 'out.json'), replace: true })
      return JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))
    }
    await bring({ first: [{ id: 1 }] })
    const imported = await startLong(address, '--replace')
    imported.child.kill('SIGKILL')
    await imported.ended
    expect(await stored()).toEqual({ first: [{ id: 1 }] })
    await bring({ second: [{ id: 2 }] })
    expect(await stored()).toEqual({ second: [{ id: 2 }] })
    // Neither the rows of the one that was killed, nor any others that nobody needs.
    const schema = /schema=(\w+)/.exec(address)?.[1]
    expect(await runIn(address, `SELECT row FROM "${schema}".rows`)).toEqual([
      { row: '{"id":2}' },
      { row: '{"id":2}' },
    ])
  })

  describe('to standard output', () => {
    const data = { a: Array.from({ length: 3000 }, (_, id) => ({ id, text: 'ü'.repeat(100) })) }
    const start = async () => {
      const address = await freshAddress()
      writeFileSync(join(cwd, 'db.json'), JSON.stringify(data))
      await importData({ from: join(cwd, 'db.json'), to: address })
      return launch(['export', address, '-'], { cwd })
    }

    it('writes the same, and says the rest elsewhere', async () => {
      const exported = await start()
      expect(await exported.ended).toBe(0)
      expect(exported.stdout() === JSON.stringify(data, null, 2)).toBe(true)
      expect(exported.stderr()).toMatch(/^3000 rows of 1 resource: postgres:\S+ → standard output\n$/)
    })

    it('fails with one line when nobody takes it', async () => {
      const exported = await start()
      exported.child.stdout?.destroy()
      expect(await exported.ended).toBe(1)
      expect(exported.stderr()).toBe(
        'export: the output was closed (EPIPE), and part of the data is missing there.\n',
      )
    })
  })

  it.each([
    ['an empty file', '', /^db\.json is empty\. Put at least \{\} in it\.\n$/],
    ['a text', '"a"', /^db\.json holds a string where an object of collections is expected, such as .+\n$/],
    [
      'a broken file',
      '{\n  "a": [1,]\n}',
      /^db\.json is not valid JSON: expected a value at line 2, column 11\. .+\n$/,
    ],
  ])('refuse %s with one line', async (_, text, said) => {
    writeFileSync(join(cwd, 'db.json'), text)
    const imported = launch(['import', 'db.json', await freshAddress()], { cwd })
    expect(await imported.ended).toBe(1)
    expect(imported.stderr()).toMatch(said)
    expect(imported.stdout()).toBe('')
  })
})

it('an import without the driver says how to get it', async () => {
  const cwd = folderOf()
  const hook =
    'export const resolve = (name, context, next) => next(name === "pg" ? "pg-is-missing" : name, context)'
  const [hooks, setup] = [join(cwd, 'hooks.mjs'), join(cwd, 'setup.mjs')]
  writeFileSync(hooks, hook)
  writeFileSync(
    setup,
    `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks))})`,
  )
  writeFileSync(join(cwd, 'db.json'), '{}')
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(setup)}` }
  const imported = launch(['import', 'db.json', 'postgres://user:secret@localhost:1/x'], { cwd, env })
  expect(await imported.ended).toBe(1)
  expect(imported.stderr()).toBe('source: PostgreSQL needs the package pg. Run npm install pg.\n')
})

describe('the help of import and export', () => {
  it.each(['import', 'export'] as const)('%s names its flags, and fits a terminal', async (way) => {
    const lines = (await help(way)).split('\n')
    expect(lines.join('\n')).toMatch(/--schema .*--replace /s)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(await help()).toContain(`restable ${way} `)
  })
})

describe('a progress bar', () => {
  function drawn(
    isTTY: boolean,
    steps: readonly [at: number, progress: TransferProgress][],
    columns = 80,
  ): string {
    let now = 0
    let text = ''
    const screen = { isTTY, columns, write: (more: string) => (text += more) }
    const bar = new ProgressBar(screen, () => now)
    for (const [at, progress] of steps) {
      now = at
      bar.show(progress)
    }
    bar.clear()
    return text
  }

  it.each<[string, boolean, [number, TransferProgress][], string]>([
    [
      'shows share, rate and time left of an import',
      true,
      [[2000, { rows: 1500, totalRows: 6000, bytes: 25 }]],
      '\r\x1b[K██████░░░░░░░░░░░░░░░░░░ 25% · 1,500 rows · 750 rows/s · 6 s left\r\x1b[K',
    ],
    [
      'shows them of an export, too',
      true,
      [[100_000, { rows: 10, totalRows: 20, bytes: 99 }]],
      '\r\x1b[K████████████░░░░░░░░░░░░ 50% · 10 rows · 0 rows/s · 1 min 40 s left\r\x1b[K',
    ],
    [
      'has no end while a stream is read',
      true,
      [[1000, { rows: 10, bytes: 12_340_000 }]],
      '\r\x1b[K10 rows · 12.3 MB · 10 rows/s\r\x1b[K',
    ],
    [
      'says that indexes are made',
      true,
      [[1000, { rows: 10, totalRows: 10, bytes: 5 }]],
      `\r\x1b[K${'█'.repeat(24)} 100% · 10 rows · finishing\r\x1b[K`,
    ],
    [
      'is not drawn more often than one sees',
      true,
      [
        [99, { rows: 1, bytes: 1 }],
        [100, { rows: 2, bytes: 1 }],
        [150, { rows: 3, bytes: 1 }],
      ],
      '\r\x1b[K2 rows · 0.0 MB · 20 rows/s\r\x1b[K',
    ],
    [
      'is a line now and then without a terminal',
      false,
      [
        [9_999, { rows: 1, totalRows: 4, bytes: 9 }],
        [10_000, { rows: 2, totalRows: 4, bytes: 9 }],
        [19_999, { rows: 3, totalRows: 4, bytes: 9 }],
      ],
      '50% · 2 rows · 0 rows/s · 10 s left\n',
    ],
  ])('%s', (_, isTTY, steps, text) => {
    expect(drawn(isTTY, steps)).toBe(text)
  })

  it('is never wider than the terminal', () => {
    expect(drawn(true, [[1000, { rows: 1, totalRows: 9, bytes: 1 }]], 20)).toBe(
      `\r\x1b[K${'█'.repeat(2)}${'░'.repeat(17)}\r\x1b[K`,
    )
  })
})
