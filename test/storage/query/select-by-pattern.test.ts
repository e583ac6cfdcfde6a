import { readdirSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { Table } from '../../../src/storage/data/table.ts'
import { ENGINE_THREAD, PatternEngine } from '../../../src/storage/query/like.ts'
import { select } from '../../../src/storage/query/select.ts'
import type { Condition, ListQuery, Row, Selection, Where } from '../../../src/storage/types.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { runs } from '../../support/length.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
/** Takes V8 longer than the universe is old, and re2 cannot match it. */
const ENDLESS = '(?=(a+)+$)b'
const ENDLESSLY = `${'a'.repeat(60)}!`

function query(where: readonly Where[], rest: Partial<ListQuery> = {}): ListQuery {
  return { where, sort: [], window: { kind: 'all' }, embed: [], expand: [], ...rest }
}

const like = (path: string, ...values: string[]): Condition => ({ path, op: 'like', values })

function find(items: readonly Row[], asked: ListQuery): Promise<Selection> {
  return select(Table.of(items), asked, NAMING)
}

/** First, as it counts threads: the others leave one that rests for a while. */
describe('the thread', () => {
  const threads = () => readdirSync('/proc/self/task').length

  it.runIf(process.platform === 'linux')('ends when there is nothing to do, and starts again', async () => {
    const engine = new PatternEngine({ idle: 20 })
    const before = threads()
    for (const text of ['final', 'draft']) {
      const { bits } = await engine.match(['^(?!draft)'], [text], 5000)
      expect([...bits]).toEqual([text === 'final' ? 1 : 0])
      expect(threads()).toBeGreaterThan(before)
      await vi.waitFor(() => expect(threads()).toBe(before), 5000)
    }
  })

  it.runIf(process.platform === 'linux')(
    'is one, however many ask, and none is left of the slow',
    async () => {
      const engine = new PatternEngine({ idle: 20 })
      const before = threads()
      const texts = [ENDLESSLY]
      const asked = [
        ...Array.from({ length: 3 }, () => engine.match([ENDLESS], texts, 50)),
        ...Array.from({ length: 3 }, () => engine.match(['(?=a)'], texts, 5000)),
      ]
      const results = await Promise.allSettled(asked)
      expect(results.map(({ status }) => status)).toEqual([
        ...Array<string>(3).fill('rejected'),
        ...Array<string>(3).fill('fulfilled'),
      ])
      await vi.waitFor(() => expect(threads()).toBe(before), 5000)
    },
  )

  it('lets no more than a hundred wait', async () => {
    const engine = new PatternEngine({ idle: 20 })
    const asked = Array.from({ length: 150 }, () => engine.match(['(?=a)'], ['a'], 5000))
    const results = await Promise.allSettled(asked)
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(100)
    expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'PATTERN_TOO_SLOW' } })
  })

  it('is not kept busy by those who left', async () => {
    const engine = new PatternEngine({ idle: 20 })
    let isThere = true
    const left = Array.from({ length: 100 }, (_, n) =>
      engine.match([`(?!${n})${ENDLESS}`], [ENDLESSLY], 1000, () => isThere),
    )
    const results = Promise.allSettled(left)
    isThere = false
    const begun = performance.now()
    // There is room for others among those who wait, too.
    const { bits } = await engine.match(['(?=a)'], ['a'], 5000)
    expect([...bits]).toEqual([1])
    expect(performance.now() - begun).toBeLessThan(5000)
    for (const { status } of await results) expect(status).toBe('rejected')
  })

  it('that cannot be made is an error for those who asked, and tried again for others', async () => {
    let isPossible = false
    const makeThread = () => {
      if (isPossible) return new Worker(ENGINE_THREAD, { eval: true })
      throw new Error('EAGAIN')
    }
    const engine = new PatternEngine({ idle: 20, makeThread })
    await expect(engine.match(['(?=a)'], ['a'], 5000)).rejects.toThrow('EAGAIN')
    isPossible = true
    expect([...(await engine.match(['(?=a)'], ['a'], 5000)).bits]).toEqual([1])
  })

  it('that cannot be made again after a slow pattern is an error, too', async () => {
    let made = 0
    const makeThread = () => {
      made += 1
      if (made === 1) return new Worker(ENGINE_THREAD, { eval: true })
      throw new Error('EAGAIN')
    }
    const engine = new PatternEngine({ idle: 20, makeThread })
    const results = await Promise.allSettled([
      engine.match([ENDLESS], [ENDLESSLY], 50),
      engine.match(['(?=a)'], ['a'], 5000),
    ])
    expect(results).toMatchObject([
      { reason: { code: 'PATTERN_TOO_SLOW' } },
      { reason: { message: 'EAGAIN' } },
    ])
  })

  it('that never gets ready is given up', async () => {
    const makeThread = () => new Worker('setInterval(() => {}, 1000)', { eval: true })
    const engine = new PatternEngine({ idle: 20, start: 50, makeThread })
    const keptAlive = setTimeout(() => undefined, 20_000)
    const asked = [engine.match(['(?=a)'], ['a'], 100), engine.match(['(?=b)'], ['a'], 100)]
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
    clearTimeout(keptAlive)
  })

  it('that ends with an error makes its pattern a suspect, which has little time for a while', async () => {
    const thread = `const { parentPort } = require('node:worker_threads')
      parentPort.on('message', ({ texts: [text] }) => { if (text === 'fail') throw new Error('no memory') })
      parentPort.postMessage('ready')`
    const engine = new PatternEngine({ idle: 20, makeThread: () => new Worker(thread, { eval: true }) })
    await expect(engine.match(['(?=a)'], ['fail'], 60_000)).rejects.toThrow('too long')
    await expect(engine.match(['(?=a)'], ['wait'], 60_000)).rejects.toThrow('too long')
  })
})

describe('patterns that only a thread can match', () => {
  it('finds what JavaScript finds', async () => {
    const word = fc.constantFrom('draft', 'Draft 2', 'final', 'aa', 'abab', '', 'x\ny', 'ß', '\u{1f600}')
    const value = fc.oneof(word, fc.integer(), fc.constant(null), fc.array(word, { maxLength: 3 }))
    const pattern = fc.constantFrom(
      '^(?!draft)',
      '(?<=dra)ft',
      '(?<!dra)ft| 2',
      '(.)\\1',
      '(?<two>..)\\k<two>',
      '^(?=.*a)(?=.*f)',
      `a{0,${300}}b`,
      '[',
      'aa|(?=z)z',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: value, b: value }, { requiredKeys: [] }), { maxLength: 100 }),
        fc.array(pattern, { minLength: 1, maxLength: 3 }),
        fc.array(pattern, { maxLength: 2 }),
        async (rows, first, second) => {
          const items = rows.map((row, id) => ({ id, ...row }))
          const matches = (patterns: readonly string[], value: unknown) =>
            patterns.some((text) => expressionOf(text).test(String(value)))
          const expected = items.filter(
            ({ a, b }) =>
              a != null && matches(first, a) && (second.length === 0 || (b != null && matches(second, b))),
          )
          const where = [like('a', ...first), ...(second.length > 0 ? [like('b', ...second)] : [])]
          const found = await find(items, query(where))
          expect(found).toEqual({ items: expected, total: expected.length, window: { kind: 'all' } })
        },
      ),
      runs(20),
    )
  })

  it('sorts, cuts and counts what matched, and asks other conditions first', async () => {
    const items = Array.from({ length: 5000 }, (_, id) => ({
      id,
      name: `${id % 2 ? 'draft' : 'text'} ${id}`,
      deep: [{ tag: id % 3 ? 'x' : 'y' }],
      slow: id < 10 ? 'short' : ENDLESSLY,
    }))
    const where: Condition[] = [
      like('name', '^(?!draft)'),
      like('deep.tag', '(?<!x)y'),
      { path: 'id', op: 'lte', values: ['9'] },
      like('slow', ENDLESS, 'o'),
    ]
    const sort = [{ path: 'id', order: 'desc' as const }]
    const window = { kind: 'page', page: 1, size: 1 } as const
    const found = await find(items, query(where, { sort, window, search: 'text' }))
    expect(found).toMatchObject({ items: [items[6]], total: 2, page: { next: 2 } })
  })

  it('gives up a pattern that takes too long, and serves the others', async () => {
    const items = [{ id: 1, a: ENDLESSLY, b: 'final' }]
    const asked = Array.from({ length: 4 }, () => find(items, query([like('a', ENDLESS)])))
    const fair = find(items, query([like('b', '^(?!draft)')]))
    const results = await Promise.allSettled(asked)
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'PATTERN_TOO_SLOW' } })
    }
    expect(await fair).toMatchObject({ total: 1 })
  })
})

/** Longer than patterns match themselves: the thread does it. */
const LONG = 70_000

describe('texts that are long', () => {
  const PATTERNS = [
    ...['needle', 'ne+dle', '^x*needle', 'needle(?:x|y)*$', '^needle', 'x[xn][ab]{14}!', 'a{3}', 'C++', '['],
    ...['(a+)+$', '^(?!x)', 'é', 'É+', 'ς+', 'K+', 'straße?', '\\u{2}', 'x.y', '^\\s*$'],
  ]
  const WORDS = [
    'needle',
    'NEEEDLE',
    'nababababababab!',
    'é',
    'ΑΣ',
    '\u212a',
    'STRASSE',
    'c++[',
    'uu',
    'x\ny',
    '',
  ]

  it('are matched as short ones are, alone and beside them, in groups and negated', async () => {
    const word = fc.constantFrom(...WORDS)
    const row = fc.record({ name: word, padding: fc.constantFrom('', '', 'x'), deep: word })
    const pattern = fc.constantFrom(...PATTERNS)
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        pattern,
        pattern,
        fc.boolean(),
        async (rows, one, other, isNegated) => {
          const padded = (length: number) =>
            rows.map(({ name, padding, deep }, id) => ({
              id,
              name: padding.repeat(length) + name + padding.repeat(7),
              deep: [{ tag: deep }],
            }))
          const group = { or: [like('name', one), like('deep.tag', other)] }
          const where = [isNegated ? { not: group } : group]
          const idsIn = async (length: number) =>
            (await find(padded(length), query(where))).items.map(({ id }) => id)
          expect(await idsIn(LONG)).toEqual(await idsIn(30))
        },
      ),
      runs(20),
    )
  })

  it.each(['ne+dle', '^x+$', '(x+x+)+y', '(x|xx)+$', 'x{50}y'])(
    'let others run meanwhile: %s',
    async (pattern) => {
      const items = Array.from({ length: 40 }, (_, id) => ({ id, text: 'x'.repeat(LONG + id) }))
      // A busy machine makes all wait: only as long as this process computes, it may be what others wait for.
      const now = () => [performance.now(), cpuTime()] as const
      let longest = 0
      let last = now()
      const timer = setInterval(() => {
        const next = now()
        longest = Math.max(longest, Math.min(next[0] - last[0], next[1] - last[1]))
        last = next
      }, 1)
      try {
        const found = await find(items, query([like('text', pattern)])).catch((error: unknown) => error)
        // V8 may take years: then it is given up, and says so.
        if (found instanceof Error) expect(found).toMatchObject({ code: 'PATTERN_TOO_SLOW' })
        else expect(found).toMatchObject({ total: pattern.endsWith('$') ? 40 : 0 })
      } finally {
        clearInterval(timer)
      }
      expect(longest).toBeLessThan(500)
    },
  )
})

function expressionOf(text: string): RegExp {
  return text === '[' ? /\[/ : new RegExp(text, 'i')
}
