import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linksOf, pageAt, pages } from './support/page/pages.ts'

const readme = pageAt('README.md')
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))

describe('the README', () => {
  it('opens with two sentences, the two commands and the one for a file of your own', () => {
    const [first] = readme.parts.filter((part) => part.kind === 'fence')
    const commands = first?.text.split('\n').map((line) => line.split('#')[0]?.trim())
    expect(commands).toEqual(['npm install && npm start', 'npm install && npm test', 'npx restable db.json'])
    const opening = readme.text.slice(readme.text.indexOf('\n'), readme.text.indexOf('```')).trim()
    expect(opening.match(/[.!?](?:\s|$)/g)).toHaveLength(2)
  })

  it('can be read in ten minutes', () => {
    expect(readme.text.split('\n').length).toBeLessThanOrEqual(350)
  })

  it('says what else there is in four groups of at most five', () => {
    const rows = readme.text.split('## Everything else')[1]?.split('\n## ')[0]?.split('\n\n') ?? []
    const groups = rows
      .filter((text) => text.startsWith('|'))
      .map((table) => table.trim().split('\n').length - 2)
    expect(groups).toHaveLength(4)
    expect(Math.max(...groups)).toBeLessThanOrEqual(5)
  })

  it('has the speed of both versions of json-server: the beta is the one that docs/json-server.md is about', () => {
    const [head = ''] = readme.text.split('<!-- speed -->')[1]?.match(/^\|.*$/m) ?? []
    const beta = /json-server (1\.0\.0-\S+) \|/.exec(pageAt('docs/json-server.md').text)?.[1]
    expect(head).toContain('json-server 0.17.4 |')
    expect(head).toContain(`json-server ${beta} |`)
  })

  it('leads to the list of pages, which leads to every other page', () => {
    expect(linksOf(readme)).toContain('docs/README.md')
    const linked = new Set(linksOf(pageAt('docs/README.md')).map((target) => `docs/${target.split('#')[0]}`))
    const others = pages.map(({ path }) => path).filter((path) => !path.endsWith('README.md'))
    expect(others.length).toBeGreaterThan(10)
    expect(others.filter((path) => !linked.has(path))).toEqual([])
  })

  it.each(pages)('names the file that npm pack makes, as $path does: with the version of now', ({ text }) => {
    const named = [...text.matchAll(/restable-([\d.]+)\.tgz/g)].map(([, name]) => name)
    expect(named.filter((name) => name !== version)).toEqual([])
  })
})
