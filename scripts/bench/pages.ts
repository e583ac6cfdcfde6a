import { readFile, writeFile } from 'node:fs/promises'
import { count, type Line, type Result, withResult } from './report.ts'

/** The lines that the README shows, cold ones where measured; docs/performance.md shows all of them. */
const SHOWN: readonly string[] = ['item', 'filter', 'post']
const SHOWN_ROWS = 10_000

const START = '<!-- speed -->'
const END = '<!-- /speed -->'

/** The pages that show a result, and how. */
export const PAGES = [
  ['docs/performance.md', withResult],
  ['README.md', withSpeed],
] as const

/** Writes a result into the pages that show it. */
export async function showOnPages(result: Result): Promise<void> {
  for (const [page, update] of PAGES) await writeFile(page, update(await readFile(page, 'utf8'), result))
}

/** The README with its few lines of this result. */
function withSpeed(readme: string, { date, lines }: Result): string {
  const [before, rest] = readme.split(START)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`The page has no ${START} … ${END} to put the result in`)
  const shown = lines.filter(
    ({ work, rows, title }) => SHOWN.includes(work) && rows === SHOWN_ROWS && !title.endsWith(', warm'),
  )
  const text = `With ${count(SHOWN_ROWS)} rows, measured on ${date.slice(0, 10)}:

| Requests per second | json-server 0.17.4 | restable | |
| --- | --- | --- | --- |
${shown.map(row).join('\n')}`
  return `${before}${START}\n${text}\n${END}${after}`
}

function row({ title, rival, ours, ratio }: Line): string {
  return `| ${title} | ${count(rival)} | ${count(ours)} | ${count(ratio)}× |`
}
