import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cases, readings } from './cases/index.ts'
import type { ContractStep } from './cases/table.ts'
import { differences, shownElsewhere } from './differences.ts'

const heading = 'Differences from json-server 0.17.4'

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

it('has the same rows as the README', () => {
  const readme = existsSync('README.md') ? readFileSync('README.md', 'utf8') : ''
  const section = sectionOf(readme) ?? ''
  const help = `README.md needs a section "${heading}" with this table:\n\n${table()}\n`
  expect(rowsOf(section), help).toEqual(
    differences.map(({ jsonServer, restable, why }) => [jsonServer, restable, why]),
  )
})

/** The list as the README shows it. */
function table(): string {
  const cells = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rows = differences.map(({ jsonServer, restable, why }) => cells([jsonServer, restable, why]))
  return ['| json-server 0.17.4 | restable | why |', '|---|---|---|', ...rows].join('\n')
}

function sectionOf(readme: string): string | undefined {
  const sections = readme.split(/^#+ /m)
  return sections.find((section) => section.startsWith(heading))
}

/** The cells of a Markdown table, without its head. */
function rowsOf(section: string): readonly (readonly string[])[] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1)
    return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
  })
}
