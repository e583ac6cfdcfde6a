import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { memoryOf } from '../../support/child/memory-of.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { dial } from '../../support/http/sockets.ts'

const MB = 1024 * 1024

/** One company with a picture of 3 MB, and 5,000 products that point at it: 15 GB with `_expand`. */
const PICTURE = 'QUJD'.repeat((3 * MB) / 4)
const DATA = {
  companies: [{ id: 1, name: 'Acme', logo: PICTURE }],
  products: Array.from({ length: 5000 }, (_, n) => ({ id: n + 1, name: `p${n}`, companyId: 1 })),
  // Each of them has all 300 children: ids need not be unique in a file.
  albums: Array.from({ length: 1000 }, () => ({ id: 1 })),
  photos: Array.from({ length: 300 }, (_, n) => ({
    id: n + 1,
    albumId: 1,
    lines: Array.from({ length: 400 }, (_, at) => ({ at })),
  })),
}

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA)
})

const ATTACKS: readonly (readonly [string, string, string])[] = [
  ['a picture that 5,000 rows expand', 'HEAD', '/products?_expand=company'],
  ['the same, with its body', 'GET', '/products?_expand=company'],
  ['the same as JSONP', 'GET', '/products?_expand=company&callback=cb'],
  ['the same by another name', 'GET', '/products?_embed=company&_sort=name'],
  ['the same under a parent', 'GET', '/companies/1/products?_expand=company'],
  ['children that 1,000 rows embed', 'HEAD', '/albums?_embed=photos'],
]

describe.each(ATTACKS)('%s', (_name, method, path) => {
  it.each([1, 16])('is refused, %i at the same time, and the server stays small', async (count) => {
    const asks = Array.from({ length: count }, (_, n) => victim.ask(method, `${path}&id_ne=x${n}`))
    for (const { status, body } of await Promise.all(asks)) {
      expect(status).toBe(400)
      if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ code: 'ANSWER_TOO_LARGE' })
    }
    expect((await victim.ask('GET', '/products/1')).status).toBe(200)
    expect(await peakMemory(victim)).toBeLessThan(700 * MB)
  })
})

describe('clients that ask for large answers and do not read them', () => {
  const PATHS: readonly (readonly [string, (n: number) => string])[] = [
    // Just larger than what may be held, 32 MB: their bytes are written once to be counted, and cost time.
    ['of different rows', (n) => `/products?_expand=company&_start=${n}&_limit=12`],
    ['that would each be kept alone', (n) => `/products?_expand=company&_start=${n}&_limit=8`],
    ['of all there is', (n) => `/db?n=${n}`],
    ['in a packed form', (n) => `/products?_expand=company&_start=${n}&_limit=14`],
  ]

  it.each(PATHS)('cost next to nothing: 30 answers %s', async (name, pathOf) => {
    const encoding = name.includes('packed') ? 'Accept-Encoding: gzip\r\n' : ''
    const before = memoryOf(victim.process.child.pid)
    const sockets = await Promise.all(Array.from({ length: 30 }, () => dial(victim.port)))
    try {
      const begun = sockets.map((socket) => once(socket, 'readable'))
      for (const [n, socket] of sockets.entries()) {
        socket.write(`GET ${pathOf(n)} HTTP/1.1\r\nHost: 127.0.0.1:${victim.port}\r\n${encoding}\r\n`)
      }
      await Promise.all(begun)
      expect((await victim.ask('GET', '/products/1')).status).toBe(200)
      // All but the third are 720 MB to 1.3 GB together.
      expect(memoryOf(victim.process.child.pid) - before).toBeLessThan(550)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

it('a list of a hundred thousand and one rows, or of millions of empty ones, is refused', async () => {
  const { ask } = await attack({ items: [{ id: 1 }], owners: [] })
  expect((await ask('POST', '/owners', `[${'{},'.repeat(100_000)}{}]`)).status).toBe(400)
  expect((await ask('POST', '/owners', `[${'{},'.repeat(3_300_000)}{}]`)).status).toBe(400)
  expect((await ask('GET', '/items/1')).status).toBe(200)
})

/** Peak memory of the process, in bytes. */
async function peakMemory({ process }: Victim): Promise<number> {
  const status = await readFile(`/proc/${process.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) * 1024
}
