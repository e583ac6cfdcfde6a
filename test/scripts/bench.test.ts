import { readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { checkCreated, checkSame } from '../../scripts/bench/check.ts'
import { load } from '../../scripts/bench/load.ts'
import { count, markdown } from '../../scripts/bench/markdown.ts'
import { p99Once } from '../../scripts/bench/measure-process.ts'
import { parseOptions } from '../../scripts/bench/options.ts'
import { paced } from '../../scripts/bench/paced.ts'
import { plan } from '../../scripts/bench/plan.ts'
import { plot } from '../../scripts/bench/plot.ts'
import { withResult } from '../../scripts/bench/readme.ts'
import { ResponseReader } from '../../scripts/bench/response-reader.ts'
import { growthOf, type Line, lineOf, type Result } from '../../scripts/bench/result.ts'
import { bench, run } from '../../scripts/bench/run.ts'
import { commandOf, type RunningServer, type ServerName } from '../../scripts/bench/servers.ts'
import { logLogSlope, median, percentile } from '../../scripts/bench/statistics.ts'
import { SIZES, works } from '../../scripts/bench/targets.ts'
import { asks, type MakeAsk, writeRequest } from '../../scripts/bench/works.ts'
import { companiesFor } from '../../scripts/bench/workshop.ts'
import { serving } from '../support/serving.ts'

const everything = works.map(({ name }) => name)
const sample = {
  rows: 100,
  companies: 100,
  products: [
    { id: 1, name: 'Small Wooden Chair', price: 12.5, company_id: 3 },
    { id: 2, name: 'Fresh Cotton Hat', price: 99.99, company_id: 7 },
  ],
}

/** The line of a work at a size, as if one round had given these two figures. */
function measured(work: string, rows: number, ours: number, rival: number): Line {
  const task = plan({ rows: SIZES, only: everything }).find(
    (one) => one.work.name === work && one.rows === rows,
  )
  if (!task) throw new Error(`There is no line ${work} with ${rows} rows`)
  return lineOf(task, { ours: { values: [ours] }, rival: { values: [rival] } })
}

function resultOf(lines: readonly Line[]): Result {
  const about = { date: '2026-11-15T00:00:00.000Z', commit: 'abc1234', machine: '2 cores', node: '20.20.0' }
  return { ...about, isQuick: false, seconds: 9, lines, growth: growthOf(lines), faults: [] }
}

async function running(name: ServerName, app: RequestListener): Promise<RunningServer> {
  const url = await serving(createServer(app).listen(0, 'localhost'))
  return { name, port: Number(new URL(url).port), pid: 0, readyAfterMs: 0, stop: async () => {} }
}

/** A server that has one answer for all, or none and hangs up. */
function answering(status: number | undefined): RequestListener {
  return (req, res) => {
    if (status === undefined) req.socket.destroy()
    else res.writeHead(status).end('x')
  }
}

describe('the statistics', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
    [[], Number.NaN],
  ])('find the median of %j', (values, expected) => {
    expect(median(values)).toBe(expected)
  })

  it.each([
    [0.99, 99],
    [0.5, 50],
    [1, 100],
    [0, 1],
  ])('find the percentile %d', (share, expected) => {
    const values = Array.from({ length: 100 }, (_, n) => 100 - n)
    expect(percentile(values, share)).toBe(expected)
  })

  it.each([
    ['time that stays', (_: number) => 5, 0],
    ['time in proportion', (rows: number) => rows / 7, 1],
    ['time with the square', (rows: number) => rows * rows, 2],
  ])('see the slope of %s', (_, ms, slope) => {
    expect(logLogSlope(SIZES.map((rows) => ({ rows, ms: ms(rows) })))).toBeCloseTo(slope, 10)
  })
})

describe('the plan', () => {
  it('has every target of the table at its own size', () => {
    const judged = plan({ rows: SIZES, only: everything }).filter(({ target }) => target !== undefined)
    expect(judged).toHaveLength(works.flatMap(({ targets }) => Object.keys(targets)).length)
  })

  it('lets the largest size below stand in for one that is left out, and does not judge it', () => {
    const tasks = plan({ rows: [100, 10_000], only: ['page', 'memory'] })
    expect(
      tasks.map(({ work, rows, insteadOf, target }) => [work.name, rows, insteadOf, target?.value]),
    ).toEqual([
      ['page', 100, undefined, 8],
      ['page', 10_000, 100_000, undefined],
      ['memory', 10_000, 100_000, undefined],
    ])
  })

  it.each([
    [[], SIZES, everything],
    [['--quick'], [100, 10_000], everything],
    [
      ['--rows', '500,20,500', '--only', 'item,post'],
      [20, 500],
      ['item', 'post'],
    ],
  ])('follows %j', async (argv, rows, only) => {
    expect(await parseOptions(argv)).toMatchObject({ kind: 'bench', options: { rows, only } })
  })

  it.each([
    [[], 'scripts/bench/results', true],
    [['--quick'], 'scripts/bench/results/partial', false],
    [['--rows', '100'], 'scripts/bench/results/partial', false],
    [['--only', 'item'], 'scripts/bench/results/partial', false],
    [['--out', 'elsewhere'], 'elsewhere', false],
  ])('let only a whole run take the place of what the README shows: %j', async (argv, out, isWhole) => {
    expect(await parseOptions(argv)).toMatchObject({ options: { out, isWhole } })
  })

  it('tells what it can do', async () => {
    const request = await parseOptions(['--help'])
    expect(request).toMatchObject({ kind: 'help', text: expect.stringContaining('--quick') })
  })

  it.each([
    [['--rows', '5'], '--rows 5 is no size. Possible: whole numbers from 10 to 1000000'],
    [['--rows', 'many'], '--rows many is no size'],
    [['--only', 'items'], '--only items is not measured. Possible: item bare log list'],
    [['--fast'], 'Unknown argument: fast. Possible: --quick'],
  ])('refuses %j in one line', async (argv, message) => {
    const said: string[] = []
    const screen = { write: (text: string) => said.push(text) }
    expect(await run(argv, { out: screen, err: screen })).toBe(1)
    expect(said.join('')).toContain(message)
    expect(said.join('').trim().split('\n')).toHaveLength(1)
  })
})

describe('the requests', () => {
  it.each(Object.entries<MakeAsk>(asks))('of %s vary from one to the next', (_, make) => {
    const written = Array.from({ length: 20 }, (_, n) => writeRequest(make(sample, n)))
    expect(new Set(written).size).toBeGreaterThan(3)
    for (const [n, one] of written.entries()) expect(one).not.toBe(written[n + 1])
  })

  it.each([
    [20, 100],
    [100, 100],
    [1000, 100],
    [100_000, 10_000],
  ])('ask, with %d products, for no company beyond the %d that there are', (rows, companies) => {
    expect(companiesFor(rows)).toBe(companies)
    const large = { ...sample, rows, companies }
    const asked = Array.from({ length: 2 * companies }, (_, n) =>
      [asks.filter, asks.embed, asks.post].map((make) => writeRequest(make(large, n))).join(),
    )
    const ids = [...asked.join().matchAll(/(?:company_id=|\/companies\/|"company_id":)(\d+)/g)]
    expect(Math.max(...ids.map(([, id]) => Number(id)))).toBe(companies)
    const pages = [...asked.join().matchAll(/_embed=products&_page=(\d+)&_limit=10/g)]
    expect(Math.max(...pages.map(([, page]) => Number(page)))).toBe(companies / 10)
  })

  it('are one tenth writes in the mixed work', () => {
    const methods = Array.from({ length: 100 }, (_, n) => asks.mixed(sample, n).method ?? 'GET')
    expect(methods.filter((method) => method === 'PATCH')).toHaveLength(10)
  })
})

describe('the servers', () => {
  it.each([
    ['restable', true],
    ['json-server', true],
    ['restable with its log', false],
  ] as const)('start %s with --quiet: %s', (name, isQuiet) => {
    expect(commandOf(name, 'db.json', 3000).includes('--quiet')).toBe(isQuiet)
  })
})

describe('the load generator', () => {
  const stream = Buffer.from(
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
      'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n0\r\n\r\n10;x=y\r\n0123456789abcdef\r\n0\r\nTrailer: a\r\n\r\n' +
      'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n' +
      'HTTP/1.1 204 No Content\r\n\r\n',
  )

  it.each([1, 2, 3, 7, 50, 1000])('finds the end of each response in pieces of %d bytes', (size) => {
    const seen: number[] = []
    const reader = new ResponseReader((status) => seen.push(status))
    for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size))
    expect(seen).toEqual([200, 201, 404, 204])
  })

  it('asks each thing once, waits for what is under way, and counts refusals', async () => {
    const asked: string[] = []
    const { port } = await running('bare', (req, res) => {
      asked.push(req.url ?? '')
      setImmediate(() => res.writeHead(req.url === '/13' ? 404 : 200).end('x'.repeat(100_000)))
    })
    const request = (n: number) => `GET /${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const result = await load({ port, request, from: 10, count: 40, forMs: Number.POSITIVE_INFINITY })
    expect(asked.toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => `/${n + 10}`).toSorted())
    expect(result).toMatchObject({ answered: 40, refused: 1 })
    expect(result.latencies).toHaveLength(40)
  })

  it('goes on for slow servers until there are enough answers', async () => {
    const { port } = await running('bare', (_req, res) => void setTimeout(() => res.end('slow'), 5))
    const request = () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const result = await load({ port, request, connections: 2, forMs: 1, atLeast: 9, atMostMs: 10_000 })
    expect(result.answered).toBeGreaterThanOrEqual(9)
    expect(result.answered).toBeLessThanOrEqual(11)
  })

  it('asks again when a server takes a waiting connection for an idle one', async () => {
    let asked = 0
    const { port } = await running('bare', (req, res) => {
      if (++asked % 3 === 0) req.socket.destroy()
      else res.end('heard')
    })
    const request = () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const result = await load({ port, request, connections: 1, count: 20, forMs: 10_000 })
    expect(result).toMatchObject({ answered: 20, refused: 0 })
  })

  it('ends when a server hangs up', async () => {
    const { port } = await running('bare', (req) => void req.socket.destroy())
    const request = () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    await expect(load({ port, request, forMs: 10_000 })).rejects.toThrow('closed a connection')
  })

  it('counts waiting from when a request was due', async () => {
    const { port } = await running('bare', (_req, res) => void setTimeout(() => res.end('late'), 40))
    const request = () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const result = await paced({ port, request, perSecond: 200, forMs: 50, connections: 1 })
    expect(result).toMatchObject({ unanswered: 0, refused: 0 })
    expect(result.latencies).toHaveLength(10)
    expect(Math.max(...result.latencies)).toBeGreaterThan(300)
  })

  it.each([
    ['never answers', () => {}, 10],
    ['hangs up', (req) => void req.socket.destroy(), 10],
    ['is too slow', (_req, res) => void setTimeout(() => res.end('late'), 60), 9],
  ] satisfies [string, RequestListener, number][])(
    'keeps its pace no longer than it said with a server that %s, and counts who waited in vain',
    async (_, app, unanswered) => {
      const { port } = await running('bare', app)
      const request = () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
      const pace = { perSecond: 200, forMs: 50, lateMs: 0, waitMs: 100 }
      const result = await paced({ port, request, ...pace, connections: 1 })
      expect(result).toMatchObject({ unanswered, refused: 0 })
      expect(result.latencies).toHaveLength(10)
      expect(Math.max(...result.latencies)).toBeLessThan(1000)
    },
  )

  it.each([
    ['restable', 503, 'restable refused 15 of 15 requests'],
    ['json-server', 503, 'json-server refused 15 of 15 requests'],
    ['restable', undefined, 'restable left 15 of 15 requests unanswered'],
  ] as const)('does not let %s pass with %s for an answer', async (name, status, message) => {
    const server = await running(name, answering(status))
    await expect(p99Once(server, sample, 30)).rejects.toThrow(message)
  })

  it('lets the other server fall behind', async () => {
    expect(await p99Once(await running('json-server', answering(undefined)), sample, 30)).toBeGreaterThan(0)
  })
})

describe('the comparison of answers', () => {
  it.each([
    ['another body', (res) => res.end('other'), '"other" instead of "same"'],
    ['another status', (res) => res.writeHead(404).end('same'), 'status 404 instead of 200'],
    ['another count', (res) => res.setHeader('X-Total-Count', '2').end('same'), 'X-Total-Count 2'],
  ] satisfies [string, (res: Parameters<RequestListener>[1]) => unknown, string][])(
    'refuses %s',
    async (_, answer, message) => {
      const ours = await running('restable', (_req, res) => void answer(res))
      const rival = await running('json-server', (_req, res) => {
        res.setHeader('X-Total-Count', '1').end('same')
      })
      await expect(checkSame({ ours, rival }, 'item', sample)).rejects.toThrow(message)
    },
  )

  it('keeps no connection, which could be cut off between two questions', async () => {
    const seen: (string | undefined)[] = []
    const app: RequestListener = (req, res) => {
      seen.push(req.headers.connection)
      res.setHeader('X-Total-Count', '103').end('same')
    }
    const [ours, rival] = [await running('restable', app), await running('json-server', app)]
    await checkSame({ ours, rival }, 'item', sample)
    await checkCreated(ours, 100, 3)
    expect(seen).toEqual(Array.from({ length: 25 }, () => 'close'))
  })
})

describe('the result', () => {
  const lines = [
    measured('page', 100, 9000, 1000),
    measured('page', 100_000, 8000, 20),
    measured('startup', 100, 300, 400),
    measured('p99', 100_000, 61, 2000),
  ]

  it('judges each line by its own target', () => {
    expect(lines.map(({ ratio, isReached }) => [ratio, isReached])).toEqual([
      [9, true],
      [400, false],
      [0.75, true],
      [0.0305, false],
    ])
  })

  it('compares round by round, since what slows the machine down slows both', () => {
    const [task] = plan({ rows: [100], only: ['item'] })
    if (!task) throw new Error('nothing to measure')
    const rounds = { ours: { values: [8, 80, 16] }, rival: { values: [1, 10, 4] } }
    expect(lineOf(task, rounds)).toMatchObject({ ours: 16, rival: 4, ratio: 8 })
  })

  it('is a table in Markdown', () => {
    const text = markdown(resultOf(lines))
    expect(text).toContain('2026-11-15, 2 cores, Node 20.20.0, commit abc1234')
    expect(text).toContain('| `_page&_limit` | 100 | 1,000 requests/s | 9,000 requests/s | 9× | ≥ 8× | ✓ |')
    expect(text).toContain(
      '| `_page&_limit` | 100,000 | 20 requests/s | 8,000 requests/s | 400× | ≥ 500× | ✗ |',
    )
    expect(text).toContain(
      '| p99 of item reads during 20 POST/s | 100,000 | 2,000 ms | 61 ms | 0.03× | ≤ 60 ms | ✗ |',
    )
    expect(text).toContain('| `_page&_limit` | restable | 0.11 ms | 0.13 ms | 0.02 | ≤ 0.2 | ✓ |')
  })

  it.each([
    ['bare', 'it sends the very bytes of restable'],
    ['log', 'the other server is restable with `--quiet`'],
  ])('says who the other server is in the line %s', (work, note) => {
    expect(markdown(resultOf([measured(work, 100, 95, 100)]))).toContain(note)
    expect(markdown(resultOf(lines))).not.toContain(note)
  })

  it.each([
    [0.00148, '0.001'],
    [0.0312, '0.03'],
    [8.456, '8.46'],
    [12.34, '12.3'],
    [12345.6, '12,346'],
  ])('writes %d as %s', (value, text) => {
    expect(count(value)).toBe(text)
  })

  it('is a picture whose points lie within its frame', () => {
    const svg = plot(growthOf(lines), '2 cores & more')
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
    const dots = [...svg.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)])
    expect(dots).toHaveLength(4)
    for (const [x = -1, y = -1] of dots) {
      expect(x >= 0 && x < Number(width)).toBe(true)
      expect(y >= 0 && y < Number(height)).toBe(true)
    }
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(svg).toContain('2 cores &amp; more')
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })
})

describe('the README', () => {
  it('shows the result that is kept', async () => {
    const [readme, kept] = await Promise.all(
      ['README.md', 'scripts/bench/results/bench.json'].map((path) => readFile(path, 'utf8')),
    )
    expect(withResult(readme ?? '', JSON.parse(kept ?? ''))).toBe(readme)
  })

  it('is left alone where it has no place for a result', () => {
    expect(() => withResult('# restable', resultOf([]))).toThrow('README.md has no <!-- bench -->')
  })
})

describe('a real measurement', () => {
  const tiny = {
    rounds: 1,
    roundMs: 40,
    warmUpMs: 20,
    postRounds: 2,
    shortPostRounds: 4,
    starts: 1,
    pacedRounds: 1,
    pacedMs: 100,
  }
  const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('restable-bench-'))

  it('compares the real servers and leaves nothing behind', async () => {
    const before = await folders()
    const said: string[] = []
    const screen = { write: (text: string) => said.push(text) }
    const options = {
      isQuick: true,
      rows: [20],
      only: ['bare', 'log', 'post'] as const,
      out: '',
      isWhole: false,
    }
    const { lines, faults } = await bench(options, { out: screen, err: screen }, tiny)
    expect(faults).toEqual([])
    expect(lines.map(({ work, rows, insteadOf }) => [work, rows, insteadOf])).toEqual([
      ['bare', 20, 100],
      ['log', 20, 100],
      ['post', 20, 100_000],
    ])
    for (const { ours, rival } of lines) expect(Math.min(ours, rival)).toBeGreaterThan(0)
    expect(lines.map(({ rounds }) => rounds.ours.values.length)).toEqual([12, 12, 4])
    expect(said).toHaveLength(3)
    expect(said[0]).toMatch(/^\[1\/3\] item by id, beside bare node:http, 20 rows: .+×\n$/)
    expect(await folders()).toEqual(before)
  }, 60_000)

  it('stops at once when told to, and clears up', async () => {
    const before = await folders()
    const stop = new AbortController()
    const screen = { write: () => stop.abort() }
    const argv = ['--quick', '--rows', '20', '--only', 'item,page']
    expect(await run(argv, { out: screen, err: { ...screen, isTTY: true }, signal: stop.signal })).toBe(130)
    expect(await folders()).toEqual(before)
  }, 60_000)
})
