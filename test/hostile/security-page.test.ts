import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { TIME_OUTS } from '../../src/app/server/server.ts'
import { MAX_DEPTH, MAX_KEYS } from '../../src/json/limits.ts'

const page = await readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8')
const manifest: Record<'dependencies' | 'peerDependencies' | 'scripts', Record<string, string>> = JSON.parse(
  await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** The first two columns of the table below a heading. */
function tableOf(heading: string): readonly (readonly [string, string])[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \|/gm)].slice(1)
  return rows.map(([, first = '', second = '']) => [first.replaceAll('`', ''), second])
}

it('names every dependency, with a reason, and no other', () => {
  const named = tableOf('Dependencies')
  expect(named.map(([name]) => name).sort()).toEqual(
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).sort(),
  )
  expect(named.filter(([, why]) => why.length < 10)).toEqual([])
})

it('no dependency has an install script', async () => {
  const lock: { packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }> } = JSON.parse(
    await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  )
  const scripted = Object.entries(lock.packages).filter(([name, { dev, hasInstallScript }]) => {
    return name !== '' && hasInstallScript === true && dev !== true
  })
  expect(scripted.map(([name]) => name)).toEqual([])
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
