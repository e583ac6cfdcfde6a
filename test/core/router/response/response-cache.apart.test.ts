import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RenderedResponse } from '../../../../src/core/router/response/rendered-response.ts'
import { ResponseCache } from '../../../../src/core/router/response/response-cache.ts'

const answer = (text: string, isCurrent = () => true) =>
  new RenderedResponse({ data: text, isCurrent }, JSON.stringify(text), 'W/"x"')

/** One that takes so many bytes and a little more. */
const large = (length: number) => answer('x'.repeat(length))

const sent = (of: RenderedResponse, head = ['ETag', of.etag]) => ({
  response: of,
  body: of.body,
  length: of.length,
  head,
})

describe('the cache of answers', () => {
  it('gives out an answer only while it is true', () => {
    const cache = new ResponseCache(100_000)
    let isTrue = true
    const made = answer('x', () => isTrue)
    cache.set('/a', made)
    expect(cache.get('/a')).toBe(made)
    isTrue = false
    expect(cache.get('/a')).toBeUndefined()
    expect(cache.size).toBe(0)
  })

  it('keeps the answers of several engines apart, in one room', () => {
    const cache = new ResponseCache(40_000)
    const [one, other] = [cache.forEngine(), cache.forEngine()]
    const made = [cache, one, other].map((each, at) => {
      const kept = answer(String(at))
      each.set('/a', kept)
      return kept
    })
    expect([cache, one, other].map((each) => each.get('/a'))).toEqual(made)
    expect([one.size, other.size]).toEqual([cache.size, cache.size])
    one.clear()
    expect([cache, one, other].map((each) => each.get('/a'))).toEqual([made[0], undefined, made[2]])
    for (const key of ['/b', '/c', '/d', '/e', '/e']) other.set(key, large(8000))
    expect(cache.size).toBeLessThanOrEqual(40_000)
    cache.clear()
    expect(cache.get('/a')).toBeUndefined()
    expect(other.get('/e')).toBeDefined()
  })

  it('takes an answer that comes twice, and lets go of the one that was not used longest', () => {
    const cache = new ResponseCache(40_000)
    const keys = ['/a', '/b', '/c', '/d']
    for (const key of keys) cache.set(key, large(8000))
    cache.set('/e', large(8000))
    for (const key of [...keys, '/c', '/a', '/d']) expect(cache.get(key)).toBeDefined()
    expect(cache.get('/e')).toBeUndefined()
    cache.set('/e', large(8000))
    expect(['/b', '/c', '/a', '/d', '/e'].map((key) => cache.get(key) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
  })

  it.each([8000, 25_000])(
    'keeps what it has while somebody walks through more of %i bytes than there is room for',
    (size) => {
      const cache = new ResponseCache(40_000)
      cache.set('/a', large(8000))
      const walked = large(size)
      for (let n = 0; n < 30_000; n++) cache.set(`/walk/${n % 15_000}`, walked)
      expect(cache.get('/a')).toBeDefined()
    },
  )

  it('takes 8 MB of what is asked for once, and more only of what is asked for again', () => {
    const cache = new ResponseCache()
    const walk = (keys: number) => {
      for (let n = 0; n < keys; n++) cache.set(`/walk/${n}`, large(100_000))
    }
    walk(500)
    expect(Math.round(cache.size / 100_000)).toBe(85)
    expect(cache.get('/walk/0')).toBeDefined()
    walk(500)
    expect(Math.round(cache.size / 5_000_000)).toBe(10)
  })

  it('takes one that needs most of the room, but none that would fill it alone', () => {
    const cache = new ResponseCache(40_000)
    cache.set('/a', large(28_000))
    expect(cache.size).toBeGreaterThan(28_000)
    cache.set('/a', large(31_000))
    expect(cache.size).toBe(0)
  })

  it('counts the compressed copy once there is one', async () => {
    const cache = new ResponseCache(100_000)
    const made = large(10_000)
    cache.set('/a', made)
    const before = cache.size
    const { length } = await made.gzipped()
    cache.resize(made)
    expect(cache.size).toBe(before + length)
    cache.clear()
    expect(cache.size).toBe(0)
  })

  it('takes about as much memory as it says, compressed copies and heads included', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const cache = new ResponseCache()
    const used = async () => {
      for (let round = 0; round < 3; round++) {
        collect()
        await new Promise(setImmediate)
      }
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    // What answers show belongs to the data, and is there anyhow.
    const rows = Array.from({ length: 6000 }, (_, n) => {
      const words = Array.from({ length: 150 }, (_word, at) => (n * 7919 + at * 104_729) % 99_991)
      return { name: `${n % 3 ? 'ß' : n % 2 ? '№' : ''}${words.join(' ')}` }
    })
    const before = await used()
    for (const [n, data] of rows.entries()) {
      const made = new RenderedResponse(
        { data, isCurrent: () => true },
        JSON.stringify(data, null, 2),
        `W/"${n}"`,
      )
      const body = await made.gzipped()
      // Beyond 8 MB, the second time.
      for (const _ of ['first', 'again']) cache.set(`/products?name=${n}`, made)
      for (const encoding of ['gzip', 'br, gzip']) {
        const head = ['ETag', made.etag, 'Vary', `Accept-Encoding, ${n}`, 'Content-Length', `${body.length}`]
        cache.setSent(`${n}\n${encoding}`, { response: made, body, length: body.length, head })
      }
    }
    const taken = (await used()) - before
    expect(cache.size).toBeGreaterThan(10 * 1024 * 1024)
    expect(taken).toBeLessThan(cache.size * 1.3)
    expect(taken).toBeGreaterThan(cache.size * 0.5)
  })
})

describe('how an answer left', () => {
  it('is kept as long as the answer is, and true', () => {
    const cache = new ResponseCache(100_000)
    let isTrue = true
    const made = answer('x', () => isTrue)
    cache.setSent('name', sent(made))
    expect(cache.getSent('name')).toBeUndefined()
    cache.set('/a', made)
    cache.setSent('name', sent(made))
    expect(cache.getSent('name')?.response).toBe(made)
    isTrue = false
    expect(cache.getSent('name')).toBeUndefined()
    isTrue = true
    expect(cache.getSent('name')).toBeUndefined()
  })

  it.each<[string, (cache: ResponseCache) => void]>([
    ['replaced', (cache) => cache.set('/a', answer('y'))],
    [
      'pushed out',
      (cache) => [1, 2, 3, 4].map(() => ['/b', '/c'].map((key) => cache.set(key, large(28_000)))),
    ],
    ['cleared away', (cache) => cache.clear()],
  ])('goes with an answer that is %s', (_, drop) => {
    const cache = new ResponseCache(40_000)
    const made = answer('x')
    cache.set('/a', made)
    cache.setSent('name', sent(made))
    drop(cache)
    expect(made.cacheKey).toBeUndefined()
    expect(cache.getSent('name')).toBeUndefined()
    cache.setSent('name', sent(made))
    expect(cache.getSent('name')).toBeUndefined()
  })

  it('counts as a use of the answer', () => {
    const cache = new ResponseCache(40_000)
    const made = large(8000)
    cache.set('/a', made)
    cache.setSent('name', sent(made))
    for (const key of ['/b', '/c', '/d']) cache.set(key, large(8000))
    cache.getSent('name')
    for (const _ of ['first', 'again']) cache.set('/e', large(8000))
    expect(['/a', '/b'].map((key) => cache.get(key) !== undefined)).toEqual([true, false])
  })

  it('is kept in the last few ways only, however many ask from different origins', () => {
    const cache = new ResponseCache(100_000)
    const made = answer('x')
    cache.set('/a', made)
    for (let n = 0; n < 10_000; n++) cache.setSent(`name ${n}`, sent(made, ['ETag', 'x'.repeat(100)]))
    expect(cache.size).toBeLessThan(10_000)
    expect(cache.getSent('name 0')).toBeUndefined()
    expect(cache.getSent('name 9999')?.response).toBe(made)
  })

  it('never makes the cache larger than its limit', () => {
    const step = fc.record({ key: fc.nat(8), size: fc.nat(9000), head: fc.nat(900) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const cache = new ResponseCache(40_000)
        for (const { key, size, head } of steps) {
          const known = cache.get(`/${key}`)
          if (known) cache.setSent(`${key} ${head % 12}`, sent(known, ['x'.repeat(head)]))
          else cache.set(`/${key}`, large(size))
          expect(cache.size).toBeLessThanOrEqual(40_000)
        }
      }),
    )
  })
})
