import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MAX_DEPTH, MAX_KEYS } from '../../../src/core/kernel/json/limits.ts'
import { TIME_OUTS } from '../../../src/serve/server/server.ts'

const page = await readFile(new URL('../../../SECURITY.md', import.meta.url), 'utf8')
const manifest: Partial<Record<'dependencies' | 'scripts', Record<string, string>>> = JSON.parse(
  await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
)

/** What the server is made of. The page has its own, which run in the browser, and entries are for those whom users have. */
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^(?:page|doors)/.test(file))
  .map((file) => join('src', file))
const IMPORT = /(?:\bfrom |\bimport\(|\brequire(?:\.resolve)?\()'(?!node:|\.)((?:@[^/']+\/)?[^/']+)[^']*'/g

/** The first two columns of the table below a heading. */
function tableOf(heading: string): readonly (readonly [string, string])[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \|/gm)].slice(1)
  return rows.map(([, first = '', second = '']) => [first.replaceAll('`', ''), second])
}

it('names every dependency, with a reason, and no other', () => {
  const named = tableOf('Dependencies')
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name = '']) => name),
  )
  const packages = new Set([...imported, ...Object.keys(manifest.dependencies ?? {})])
  expect(named.map(([name]) => name).sort()).toEqual([...packages].sort())
  expect(named.filter(([, why]) => why.length < 10)).toEqual([])
})

it('lists the actual limits', () => {
  const limits = Object.fromEntries(tableOf('Limits'))
  expect(limits).toMatchObject({
    'Levels of nesting in a body': String(MAX_DEPTH),
    'Keys of one object in a body, or of an item after PATCH': MAX_KEYS.toLocaleString('en'),
    'Time for a TLS handshake': `${TIME_OUTS.headers / 1000} s`,
    'Time for the headers to arrive': `${TIME_OUTS.headers / 1000} s`,
    'Time for the whole request to arrive': `${TIME_OUTS.request / 1000} s`,
    'Time between two requests on a connection': `${TIME_OUTS.keepAlive / 1000} s`,
  })
})

it('names commands that exist', () => {
  for (const [, name = ''] of page.matchAll(/`npm run ([\w:]+)`/g))
    expect(manifest.scripts).toHaveProperty([name])
})
