import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endRealServers } from '../support/real-server.ts'
import { attack, type Victim } from './support/victim.ts'

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

afterAll(endRealServers)

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

/** The most that the process ever had in memory, in bytes. */
async function peakMemory({ process }: Victim): Promise<number> {
  const status = await readFile(`/proc/${process.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) * 1024
}
