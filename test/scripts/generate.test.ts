import { once } from 'node:events'
import { watch } from 'node:fs'
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { locales } from '../../scripts/generate/dataset.ts'
import { progress } from '../../scripts/generate/progress.ts'
import { run } from '../../scripts/generate/run.ts'
import { folderOf } from '../support/folder.ts'

const cents = (value: number) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-4
const text = z.string().trim().min(1)
const Row = {
  products: z.array(
    z.strictObject({
      id: z.int(),
      name: text,
      price: z.number().min(1).max(1000).refine(cents),
      company_id: z.int().min(1),
    }),
  ),
  companies: z.array(
    z.strictObject({
      id: z.int(),
      name: text,
      revenue: z.number().min(1_000_000).max(100_000_000).refine(cents),
      headquarter: z.strictObject({
        lat: z.number().min(-90).max(90),
        lon: z.number().min(-180).max(180),
      }),
      locations: z
        .array(z.strictObject({ city: text, employee_number: z.int().min(10).max(10_000), state: text }))
        .min(1)
        .max(5),
    }),
  ),
}
const Database = z.strictObject(Row)

let folder: string
let file: string
beforeEach(() => {
  folder = folderOf()
  file = join(folder, 'db.json')
})

/** Runs the generator in this process and collects what it says. */
async function generate(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const code = await run(args, {
    out: { write: (chunk) => (said.out += chunk) },
    err: { write: (chunk) => (said.err += chunk) },
  })
  return { code, ...said }
}

const bytes = () => readFile(file, 'utf8')

describe('the generated file', () => {
  it('holds 100 products and 100 companies with every field in its range and order', async () => {
    expect((await generate('--out', file)).code).toBe(0)
    const data = Database.parse(JSON.parse(await bytes()))
    const ids = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(Object.keys(data)).toEqual(['products', 'companies'])
    expect(data.products.map((row) => row.id)).toEqual(ids)
    expect(data.companies.map((row) => row.id)).toEqual(ids)
    expect(data.products.every((row) => row.company_id <= 100)).toBe(true)
    const raw = JSON.parse(await bytes())
    expect(Object.keys(raw.products[0])).toEqual(['id', 'name', 'price', 'company_id'])
    expect(Object.keys(raw.companies[0])).toEqual(['id', 'name', 'revenue', 'headquarter', 'locations'])
    expect(Object.keys(raw.companies[0].locations[0])).toEqual(['city', 'employee_number', 'state'])
  })

  it.each([
    [0, 0],
    [1, 0],
    [1, 1],
    [3, 20],
    [2000, 5000],
  ])(
    'has the bytes that the server writes, with %i companies and %i products',
    async (companies, products) => {
      const args = ['--companies', companies, '--products', products, '--out', file].map(String)
      expect((await generate(...args)).code).toBe(0)
      const data = Database.parse(JSON.parse(await bytes()))
      expect(await bytes()).toBe(JSON.stringify(JSON.parse(await bytes()), null, 2))
      expect([data.companies.length, data.products.length]).toEqual([companies, products])
      expect(data.products.every((row) => row.company_id <= companies)).toBe(true)
    },
  )

  it('is the same for the same seed, whatever was made before, and another for another', async () => {
    const made: string[] = []
    for (const args of [['7'], ['8', '--locale', 'de'], ['7'], ['8']]) {
      await generate('--seed', ...args, '--out', file)
      made.push(await bytes())
    }
    expect(made[2]).toBe(made[0])
    expect(made[3]).not.toBe(made[0])
  })

  it('can be made again from the seed that a run without one prints', async () => {
    const { out } = await generate('--out', file)
    const first = await bytes()
    const seed = /\(seed (\d+),/.exec(out)?.[1] ?? 'none'
    await generate('--out', file, '--seed', seed)
    expect(await bytes()).toBe(first)
  })

  it.each(locales)('can be made in %s', async (locale) => {
    const result = await generate('--locale', locale, '--companies', '5', '--products', '5', '--out', file)
    expect(result).toMatchObject({ code: 0, err: '' })
    Database.parse(JSON.parse(await bytes()))
  })

  it('accepts a locale as browsers spell it', async () => {
    expect((await generate('--locale', 'pt-BR', '--out', file)).out).toContain('locale pt_BR')
  })
})

describe('the old file', () => {
  it.each([
    [
      'an unknown flag',
      ['--colour', 'red'],
      /^Unknown.*colour.*--companies --products --seed --locale --out/,
    ],
    ['a stray word', ['now'], /^Unknown argument: now\. Possible: --companies/],
    [
      'an unknown locale',
      ['--locale', 'klingon'],
      /^--locale klingon is not known\. Possible: af_ZA ar .* zu_ZA/,
    ],
    ['a word for a number', ['--companies', 'many'], /^--companies many is not valid\. Possible: .*0 to \d+/],
    ['a negative number', ['--products', '-1'], /^--products -1 is not valid/],
    ['half a row', ['--products', '1.5'], /^--products 1\.5 is not valid/],
    ['a seed without a value', ['--seed'], /^--seed \(nothing\) is not valid/],
    ['a seed past 32 bits', ['--seed', '4294967296'], /^--seed 4294967296 is not valid/],
    ['products without companies', ['--companies', '0'], /^--companies 0 leaves products without a company/],
  ])('stays, and one line says what is possible, after %s', async (_, args, message) => {
    await writeFile(file, 'precious')
    const { code, out, err } = await generate('--out', file, ...args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(err.trimEnd()).not.toContain('\n')
    expect(await bytes()).toBe('precious')
  })

  it('stays when the work is stopped halfway, with nothing left next to it', async () => {
    await writeFile(file, 'precious')
    const stop = new AbortController()
    const watcher = watch(folder, { signal: stop.signal })
    const args = ['--companies', '100', '--products', '100000', '--out', file]
    const working = run(args, {
      out: { write: () => undefined },
      err: { write: () => undefined },
      signal: stop.signal,
    })
    await once(watcher, 'change')
    stop.abort()
    expect(await working).toBe(130)
    expect(await bytes()).toBe('precious')
    expect(await readdir(folder)).toEqual(['db.json'])
  })

  it('keeps its permissions when it is replaced', async () => {
    await writeFile(file, '{}')
    await chmod(file, 0o640)
    await generate('--out', file)
    expect((await stat(file)).mode & 0o777).toBe(0o640)
    expect(await readdir(folder)).toEqual(['db.json'])
  })

  it('is replaced where it really is when the name is a symbolic link', async () => {
    const link = join(folder, 'link.json')
    await writeFile(file, '{}')
    await symlink('db.json', link)
    await generate('--out', link)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    Database.parse(JSON.parse(await bytes()))
  })

  it.each([
    ['a folder', '', /is a folder/],
    ['in a folder that is not there', 'no/such/db.json', /there is no such folder/],
  ])('cannot be %s', async (_, name, message) => {
    const { code, err } = await generate('--out', join(folder, name))
    expect(code).toBe(1)
    expect(err).toMatch(message)
  })
})

describe('what people see', () => {
  it('explains itself', async () => {
    const { code, out } = await generate('--help')
    expect(code).toBe(0)
    for (const word of ['--companies', '--products', '--seed', '--locale', '--out', 'data/db.json']) {
      expect(out).toContain(word)
    }
  })

  it.each([
    { what: 'draws nothing in the first second', isTTY: true, times: [0, 500, 1000], drawn: [] },
    {
      what: 'draws a bar after it',
      isTTY: true,
      times: [0, 1001],
      drawn: ['\r[###############...............]'],
    },
    { what: 'redraws ten times a second at most', isTTY: true, times: [0, 1001, 1050], drawn: ['\r['] },
    { what: 'draws nothing into a pipe', isTTY: false, times: [0, 5000], drawn: [] },
  ])('$what', ({ isTTY, times, drawn }) => {
    const written: string[] = []
    const clock = times.values()
    const shown = progress(
      10,
      { isTTY, write: (chunk) => written.push(chunk) },
      () => clock.next().value ?? 0,
    )
    for (const _ of times.slice(1)) shown.update(5)
    expect(written.length).toBe(drawn.length)
    for (const [index, start] of drawn.entries()) expect(written[index]?.startsWith(start)).toBe(true)
    shown.end()
    expect(written.length).toBe(drawn.length === 0 ? 0 : drawn.length + 1)
  })
})
