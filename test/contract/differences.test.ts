import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseMarkdown } from '../support/docs/markdown.ts'
import { cases, readings } from './cases/index.ts'
import type { ContractStep } from './cases/table.ts'
import { type Difference, differences, shownElsewhere } from './differences.ts'

it('gives each difference its own id', () => {
  const ids = differences.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
})

it('shows every difference in at least one case', () => {
  const steps: ContractStep[] = [...readings, ...cases].flatMap((table) => [...table.steps])
  const named = new Set<string>([
    ...steps.flatMap(({ differs }) => differs?.id ?? []),
    ...cases.flatMap(({ state }) => state?.id ?? []),
    ...Object.keys(shownElsewhere),
  ])
  const unshown = differences.map(({ id }) => id).filter((id) => !named.has(id))
  expect(unshown, 'name these in a case, or take them off the list').toEqual([])
})

it.each(Object.entries(shownElsewhere))('leaves %s to a test that exists', (_id, file) => {
  expect(existsSync(file), file).toBe(true)
})

it('is in the README, with reasons, and in docs/json-server.md, but for minor ones', () => {
  const chosen = rowsBelow('README.md', 'Coming from json-server')
  expect(chosen.length).toBeGreaterThan(5)
  const all = differences.map(({ jsonServer, restable, why }) => [jsonServer, restable, why])
  expect(all).toEqual(expect.arrayContaining([...chosen]))

  const names = new Set(chosen.map(([name]) => name))
  const others = (differences as readonly Difference[]).filter(
    ({ jsonServer, isMinor }) => !isMinor && !names.has(jsonServer),
  )
  const rows = rowsBelow('docs/json-server.md', 'Differences from json-server 0.17.4')
  expect(rows).toEqual(others.map(({ jsonServer, restable }) => [jsonServer, restable]))
})

/** The rows of the differences in a section of a page. */
function rowsBelow(page: string, heading: string): readonly (readonly string[])[] {
  const parts = parseMarkdown(readFileSync(page, 'utf8'))
  const start = parts.findIndex((part) => part.kind === 'heading' && part.text === heading)
  const rest = parts.slice(start + 1)
  const end = rest.findIndex((part) => part.kind === 'heading')
  const section = end === -1 ? rest : rest.slice(0, end)
  return section.flatMap((part) =>
    part.kind === 'row' && part.head.includes('json-server 0.17.4') ? [part.cells] : [],
  )
}
