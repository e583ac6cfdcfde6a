import { readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkCreated, checkSame } from '../../scripts/bench/check.ts'
import { openConnection } from '../../scripts/bench/connection.ts'
import { hasPostgres } from '../../scripts/bench/database.ts'
import { load, paced } from '../../scripts/bench/load.ts'
import { p99Of } from '../../scripts/bench/measure.ts'
import { type Plan, parsePlan } from '../../scripts/bench/plan.ts'
import { count, growthOf, lineOf, PAGES, report, resultOf } from '../../scripts/bench/report.ts'
import * as ask from '../../scripts/bench/requests.ts'
import { bench, run } from '../../scripts/bench/run.ts'
import { commandOf, openServers, type RunningServer, type ServerName } from '../../scripts/bench/servers.ts'
import { logLogSlope, median, percentile } from '../../scripts/bench/statistics.ts'
import { postgresWorks, SIZES, type Work, works } from '../../scripts/bench/works.ts'
import { parseQuery } from '../../src/router/query/parse-query.ts'
import { parseQueryString } from '../../src/router/query/query-string.ts'
import { leavesOf } from '../../src/storage/where.ts'
import { serving } from '../support/http/serving.ts'

const request = (n: number) => `GET /${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`

async function planOf(...argv: string[]): Promise<Plan> {
  const asked = await parsePlan(argv)
  if (!('options' in asked)) throw new Error(asked.text)
  return asked.options
}

/** The line of a work as if one round had given these figures, or several. */
function measured(title: string, rows: number, ours: number | number[], rival: number | number[]) {
  const work = works.find((one) => one.title === title)
  if (!work) throw new Error(`There is no line ${title}`)
  return lineOf({ work, rows }, { ours: [ours].flat(), rival: [rival].flat() })
}

async function running(name: ServerName, app: RequestListener): Promise<RunningServer> {
  const url = await serving(createServer(app).listen(0, 'localhost'))
  return { name, port: Number(new URL(url).port), pid: 0, readyAfterMs: 0 }
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
  const sizesOf = ({ tasks }: Plan, title: string) =>
    tasks.filter(({ work }) => work.title === title).map(({ rows }) => rows)

  it('has every target of the table at its own size', async () => {
    const { tasks } = await planOf()
    const judged = tasks.filter(({ work, rows }) => work.targets[rows] !== undefined)
    expect(judged).toHaveLength(works.flatMap(({ targets }) => Object.keys(targets)).length)
    expect(new Set(tasks.map(({ work, rows }) => `${work.title} ${rows}`)).size).toBe(tasks.length)
  })

  it.each([
    [[], SIZES, [100], [100_000]],
    [['--quick'], [100, 10_000], [100], [10_000]],
    [
      ['--rows', '20,500'],
      [20, 500],
      [20, 500],
      [20, 500],
    ],
  ])('with %j measures at these sizes', async (argv, page, list, memory) => {
    const plan = await planOf(...argv)
    expect(sizesOf(plan, '`_page&_limit`, warm')).toEqual(page)
    expect(sizesOf(plan, 'whole list, cold')).toEqual(list)
    expect(sizesOf(plan, 'memory after load')).toEqual(memory)
  })

  it('measures warm and cold where one kind is asked for', async () => {
    const { tasks } = await planOf('--only', 'list,startup')
    expect(tasks.map(({ work }) => work.title)).toEqual([
      'whole list, warm',
      'whole list, cold',
      'start-up to first answer',
    ])
  })

  it.each([
    [[], 'scripts/bench/results', true],
    [['--quick'], 'scripts/bench/results/partial', false],
    [['--rows', '100'], 'scripts/bench/results/partial', false],
    [['--only', 'item'], 'scripts/bench/results/partial', false],
    [['--out', 'elsewhere'], 'elsewhere', false],
  ])('lets only a whole run take the place of what the pages show: %j', async (argv, out, isWhole) => {
    expect(await planOf(...argv)).toMatchObject({ out, isWhole })
  })

  it.each([
    [['--rows', '5'], '--rows 5 is not a size. Possible: whole numbers from 10 to 1000000'],
    [['--rows', 'many'], '--rows many is not a size'],
    [['--only', 'items'], '--only items is not measured. Possible: item bare log faults list'],
    [['--fast'], 'Unknown argument: fast. Possible: --postgres'],
  ])('refuses %j in one line', async (argv, message) => {
    const said: string[] = []
    const screen = { write: (text: string) => said.push(text) }
    expect(await run(argv, { out: screen, err: screen })).toBe(1)
    expect(said.join('')).toContain(message)
    expect(said.join('').trim().split('\n')).toHaveLength(1)
  })
})

describe('the requests', () => {
  const makeOf = ({ make }: Work): ask.MakeAsk => make ?? ask.item
  const titled = (end: RegExp) =>
    works.filter(({ title }) => end.test(title)).map((work) => [work.title, work] as const)

  it.each(titled(/, cold$/))('of "%s" never repeat a URL, nor what it means', (_, work) => {
    const paths = Array.from({ length: 30_000 }, (_, n) => makeOf(work)(100, n).path)
    expect(new Set(paths).size).toBe(paths.length)
    if (work.name === 'item') return
    // Where a middleware changed the query, lists are cached by their meaning. What repeats does so after at most 2,000
    // requests, or after the 10,000 products that searches know.
    const some = paths.filter((_, n) => n % 10_000 < 2000)
    const meanings = some.map((path) => parseQuery(parseQueryString(path.split('?')[1])))
    expect(new Set(meanings.map((query) => JSON.stringify(query))).size).toBe(some.length)
    const fields = meanings.flatMap(({ where, words = [] }) =>
      [...where, ...words.flatMap(({ means }) => means.where ?? [])]
        .flatMap(leavesOf)
        .map(({ path, orElse }) => orElse?.path ?? path),
    )
    expect(['company_id', 'name', 'price']).toEqual(expect.arrayContaining([...new Set(fields)]))
  })

  it.each(titled(/, warm$/))('of "%s" are soon the same again', (_, work) => {
    const paths = Array.from({ length: 30_000 }, (_, n) => makeOf(work)(100_000, n).path)
    expect(new Set(paths).size).toBeLessThanOrEqual(ask.WARM_URLS)
  })

  it('are one tenth writes in the mixed work', () => {
    const methods = Array.from({ length: 100 }, (_, n) => ask.mixed(100, n).method ?? 'GET')
    expect(methods.filter((method) => method === 'PATCH')).toHaveLength(10)
  })

  it.each([
    ['restable', true],
    ['json-server', true],
    ['restable with its log', false],
  ] as const)('go to %s with --quiet: %s', (name, isQuiet) => {
    expect(commandOf(name, 'db.json', 3000).includes('--quiet')).toBe(isQuiet)
  })

  it('go to a server without faults only where they are compared', () => {
    const flagged = (['restable', 'restable with its log', 'restable without faults'] as const).filter(
      (name) => commandOf(name, 'db.json', 3000).includes('--no-faults'),
    )
    expect(flagged).toEqual(['restable without faults'])
  })
})

describe('the load generator', () => {
  const responses = [
    [200, 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    [
      201,
      'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n10;x=y\r\n0123456789abcdef\r\n0\r\n\r\n',
    ],
    [200, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    [404, 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'],
  ] as const

  it.each([1, 2, 3, 7, 1000])('finds the end of each response in pieces of %d bytes', async (size) => {
    let answered = 0
    const server = createTcpServer({ noDelay: true }, (socket) => {
      socket
        .on('error', () => {})
        .on('data', async () => {
          const text = responses[answered++ % responses.length]?.[1] ?? ''
          for (let at = 0; at < text.length; at += size)
            await new Promise((sent) => socket.write(text.slice(at, at + size), () => setImmediate(sent)))
        })
    }).listen(0, 'localhost')
    onTestFinished(() => void server.close())
    await new Promise((listening) => server.once('listening', listening))
    const address = server.address()
    const connection = await openConnection(typeof address === 'object' ? (address?.port ?? 0) : 0)
    const seen: number[] = []
    for (const _ of responses) seen.push(await connection.ask('GET / HTTP/1.1\r\n\r\n'))
    connection.close()
    expect(seen).toEqual(responses.map(([status]) => status))
  })

  it('sends each request once, waits for those in flight, and counts refusals', async () => {
    const asked: string[] = []
    const { port } = await running('bare', (req, res) => {
      asked.push(req.url ?? '')
      setImmediate(() => res.writeHead(req.url === '/13' ? 404 : 200).end('x'.repeat(100_000)))
    })
    const result = await load({ port, request, from: 10, count: 40, forMs: Number.POSITIVE_INFINITY })
    expect(asked.toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => `/${n + 10}`).toSorted())
    expect(result).toMatchObject({ answered: 40, refused: 1 })
  })

  it('continues for slow servers until there are enough responses', async () => {
    const { port } = await running('bare', (_req, res) => void setTimeout(() => res.end('slow'), 20))
    const { answered } = await load({ port, request, connections: 2, forMs: 100 })
    expect(answered).toBeGreaterThan(10)
    expect(answered).toBeLessThanOrEqual(21)
  })

  it('retries when a server takes a waiting connection for an idle one', async () => {
    let asked = 0
    const { port } = await running('bare', (req, res) => {
      if (++asked % 3 === 0) req.socket.destroy()
      else res.end('heard')
    })
    const result = await load({ port, request, connections: 1, count: 20, forMs: 10_000 })
    expect(result).toMatchObject({ answered: 20, refused: 0 })
  })

  it('ends when a server hangs up', async () => {
    const { port } = await running('bare', answering(undefined))
    await expect(load({ port, request, forMs: 10_000 })).rejects.toThrow('closed a connection')
  })

  it('counts waiting from when a request was due', async () => {
    const { port } = await running('bare', (_req, res) => void setTimeout(() => res.end('late'), 40))
    const result = await paced({ port, request, forMs: 50, connections: 1 }, 200)
    expect(result).toMatchObject({ unanswered: 0, refused: 0 })
    expect(result.latencies).toHaveLength(10)
    expect(Math.max(...result.latencies)).toBeGreaterThan(300)
  })

  it.each([
    ['never answers', () => {}, 10],
    ['hangs up', answering(undefined), 10],
    ['is too slow', (_req, res) => void setTimeout(() => res.end('late'), 70), 9],
  ] satisfies [string, RequestListener, number][])(
    'keeps its pace no longer than it said with a server that %s, and counts unanswered requests',
    async (_, app, unanswered) => {
      const { port } = await running('bare', app)
      const result = await paced({ port, request, forMs: 50, connections: 1 }, 200, 5)
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
    await expect(p99Of(await running(name, answering(status)), 100, 30)).rejects.toThrow(message)
    // json-server may fall behind: its unanswered requests are part of its result.
    expect(await p99Of(await running('json-server', answering(undefined)), 100, 30)).toBeGreaterThan(0)
  })
})

describe('the comparison of answers', () => {
  it.each([
    ['another body', (res) => res.end('other'), 'body "other" instead of "same"'],
    ['another status', (res) => res.writeHead(201).end('same'), 'status 201 instead of 200'],
    ['another count', (res) => res.setHeader('X-Total-Count', '2').end('same'), 'total "2" instead of "1"'],
    ['a refusal', (res) => res.writeHead(404).end('same'), 'restable answered 404'],
  ] satisfies [string, (res: Parameters<RequestListener>[1]) => unknown, string][])(
    'refuses %s',
    async (_, answer, message) => {
      const ours = await running('restable', (_req, res) => {
        answer(res.setHeader('X-Total-Count', '1'))
      })
      const rival = await running('json-server', (_req, res) => {
        res.setHeader('X-Total-Count', '1').end('same')
      })
      await expect(checkSame({ ours, rival }, ask.page, 100)).rejects.toThrow(message)
    },
  )

  it('refuses a list that should be compressed and is not', async () => {
    const [ours, rival] = [
      await running('restable', answering(200)),
      await running('json-server', answering(200)),
    ]
    await expect(checkSame({ ours, rival }, ask.gzip, 100)).rejects.toThrow('answered 200, identity')
  })

  it('does not reuse connections, which could be cut off between two requests', async () => {
    const seen: (string | undefined)[] = []
    const app: RequestListener = (req, res) => {
      seen.push(req.headers.connection)
      res.setHeader('X-Total-Count', '103').end('same')
    }
    const [ours, rival] = [await running('restable', app), await running('json-server', app)]
    expect(await checkSame({ ours, rival }, ask.item, 100)).toBe(12)
    await checkCreated(ours, 100, 3)
    await expect(checkCreated(ours, 100, 4)).rejects.toThrow('acknowledged 4 new products and has 3')
    expect(seen).toEqual(Array.from({ length: 26 }, () => 'close'))
  })
})

describe('the result', () => {
  const lines = [
    measured('`_page&_limit`, warm', 100, 9000, 1000),
    measured('`_page&_limit`, warm', 100_000, 8000, 20),
    measured('`_page&_limit`, cold', 100, 2000, 1000),
    measured('`_page&_limit`, cold', 100_000, 200, 20),
    measured('start-up to first answer', 100, 300, 400),
    measured('p99 of item reads during 20 POST/s', 100_000, 61, 2000),
  ]
  const about = {
    date: '2026-11-15T00:00:00.000Z',
    command: 'npm run bench -- --quick',
    commit: 'abc1234',
    machine: '2 cores',
    node: '20.20.0',
  }
  const textOf = (of: typeof lines) =>
    report({ ...about, seconds: 9, lines: of, growth: growthOf(of), faults: [] })

  it('compares round by round, since what slows the machine down slows both', () => {
    const line = measured('item by id, warm', 100, [8, 80, 16], [1, 10, 4])
    expect(line).toMatchObject({ ours: 16, rival: 4, ratio: 8, isReached: true })
  })

  it.each([
    '| `_page&_limit`, warm | 100 | 1,000 requests/s | 9,000 requests/s | 9× | ≥ 8× ✓ |',
    '| `_page&_limit`, warm | 100,000 | 20 requests/s | 8,000 requests/s | 400× | ≥ 500× ✗ |',
    '| `_page&_limit`, cold | 100,000 | 20 requests/s | 200 requests/s | 10× |  |',
    '| start-up to first answer | 100 | 400 ms | 300 ms | 0.75× | ≤ 1× ✓ |',
    '| p99 of item reads during 20 POST/s | 100,000 | 2,000 ms | 61 ms | 0.03× | ≤ 60 ms ✗ |',
    '| `_page&_limit`, warm | 0.57 | 0.02 | ≤ 0.2 ✓ |',
    '| `_page&_limit`, cold | 0.57 | 0.33 |  |',
    'with `npm run bench -- --quick` in 9 s (commit abc1234, 2 cores, Node 20.20.0)',
  ])('says %s', (text) => {
    expect(textOf(lines)).toContain(text)
  })

  it('says which targets even a bare server would miss on this machine', () => {
    const bare = measured('item by id, beside bare node:http', 100, 9000, 10_000)
    const said = 'short of the target of: `_page&_limit`, warm (5×).'
    expect(textOf([bare, measured('`_page&_limit`, warm', 100, 9000, 2000)])).toContain(said)
    expect(textOf([bare, measured('`_page&_limit`, warm', 100, 9000, 1000)])).not.toContain('short of')
  })

  it('allows time per POST to rise with a slope of 0.3, and no more', () => {
    const rising = (slope: number) =>
      growthOf([measured('POST', 100, 1000, 1), measured('POST', 10_000, 1000 / 100 ** slope, 1)])
    expect([0.29, 0.31].map((slope) => rising(slope)[0]?.isReached)).toEqual([true, false])
  })

  it.each([
    ['whole list, cold', 'Cold: every\nURL is new'],
    ['item by id, beside bare node:http', 'exactly the bytes restable sends'],
    ['item by id, with the log beside `--quiet`', 'restable with `--quiet`.'],
    ['item by id, beside `--no-faults`', 'restable with `--no-faults`.'],
  ])('explains the line %s, where there is one', (title, note) => {
    expect(textOf([measured(title, 100, 95, 100)])).toContain(note)
    expect(textOf([measured('POST', 100, 95, 100)])).not.toContain(note)
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

  it.each(PAGES.bench)('that is kept is the one that %s shows', async (path, update) => {
    const [page = '', kept = ''] = await Promise.all(
      [path, 'scripts/bench/results/bench.json'].map((file) => readFile(file, 'utf8')),
    )
    expect(update(page, JSON.parse(kept))).toBe(page)
    expect(() => update('# restable', JSON.parse(kept))).toThrow(/^The page has no <!-- \w+ -->/)
  })

  it('is shown in three lines by the README', async () => {
    const readme = await readFile('README.md', 'utf8')
    const part = readme.slice(readme.indexOf('<!-- speed -->'), readme.indexOf('<!-- /speed -->'))
    expect(part.match(/^\| .*×/gm)).toHaveLength(3)
  })
})

describe('the plan of `--postgres`', () => {
  it.each([
    [['--postgres'], 'POST, 16 connections', [1000, 10_000, 100_000, 1_000_000], true],
    [['--postgres'], 'deep page, cold', [100_000, 1_000_000], true],
    [['--postgres', '--quick'], 'deep page, cold', [10_000], false],
    [['--postgres', '--rows', '20'], '`q` with `_limit`, cold', [20], false],
  ])('with %j measures %s at these sizes', async (argv, title, sizes, isWhole) => {
    const plan = await planOf(...argv)
    expect(plan.tasks.filter(({ work }) => work.title === title).map(({ rows }) => rows)).toEqual(sizes)
    expect(plan).toMatchObject({ kind: 'postgres', isWhole })
    expect(plan.out === 'scripts/bench/results/postgres').toBe(isWhole)
  })

  it('has a place in the page for its result, with a file beside a database', async () => {
    const [[path, update]] = PAGES.postgres
    const page = await readFile(path, 'utf8')
    const [work] = postgresWorks
    if (!work) throw new Error('The table is empty')
    const line = lineOf({ work, rows: 100_000 }, { ours: [2], rival: [4] })
    const result = await resultOf('npm run bench -- --postgres', 9, [line], [])
    expect(update(page, result)).toContain('| work | rows | file | PostgreSQL | ratio | target |')
  })
})

describe('a real measurement', () => {
  const pace = { rounds: 1, roundMs: 40, postRounds: 2, starts: 1, pacedRounds: 1, pacedMs: 100 }
  const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('restable-bench-'))

  it('finds no difference between the answers of the real servers, warm or cold', async () => {
    const servers = await openServers()
    onTestFinished(servers.close)
    const seen = await servers.two({ ours: 'restable', rival: 'json-server' }, 20, async (pair) => {
      const counts: number[] = []
      for (const { make } of works)
        if (make && make !== ask.post) counts.push(await checkSame(pair, make, 20))
      return counts
    })
    expect(new Set(seen)).toEqual(new Set([12]))
  }, 60_000)

  it.skipIf(!hasPostgres())(
    'compares two instances on a database with one',
    async () => {
      const before = await folders()
      const said: string[] = []
      const screen = { write: (text: string) => said.push(text) }
      const plan = await planOf('--postgres', '--rows', '20', '--only', 'two')
      const titles = ['POST, two instances beside one']
      const tasks = plan.tasks.filter(({ work }) => titles.includes(work.title))
      const { lines, faults } = await bench({ ...plan, tasks, pace }, { out: screen, err: screen })
      expect(faults).toEqual([])
      expect(lines.map(({ title }) => title)).toEqual(titles)
      expect(await folders()).toEqual(before)
    },
    120_000,
  )

  it('compares the real servers and leaves nothing behind', async () => {
    const before = await folders()
    const said: string[] = []
    const screen = { write: (text: string) => said.push(text) }
    const plan = await planOf('--rows', '20', '--only', 'item,bare,post')
    const { lines, faults } = await bench({ ...plan, pace }, { out: screen, err: screen })
    expect(faults).toEqual([])
    expect(lines.map(({ title, rounds }) => [title, rounds.ours.length])).toEqual([
      ['item by id, warm', 1],
      ['item by id, cold', 1],
      ['item by id, beside bare node:http', 12],
      ['POST', 6],
    ])
    for (const { ours, rival } of lines) expect(Math.min(ours, rival)).toBeGreaterThan(0)
    expect(said.join('')).toMatch(/^\[1\/4\] item by id, warm, 20 rows: .+×\n/)
    expect(await folders()).toEqual(before)
  }, 60_000)

  it('stops immediately when told to, and cleans up', async () => {
    const before = await folders()
    const stop = new AbortController()
    const screen = { write: () => stop.abort() }
    const argv = ['--quick', '--rows', '20', '--only', 'item,page']
    expect(await run(argv, { out: screen, err: screen, signal: stop.signal })).toBe(130)
    expect(await folders()).toEqual(before)
  }, 60_000)
})
