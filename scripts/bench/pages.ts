import { contendersOf, count, notesOn, type Result, table } from './report.ts'

/** The lines that the README shows, cold ones where measured. */
const IN_README: readonly string[] = ['item', 'filter', 'post']
const README_ROWS = 10_000
/** The sizes that docs/performance.md shows. */
const PAGE_ROWS: readonly number[] = [10_000, 100_000]
/** Much like another line there, or beside another server than the column says. */
const NOT_ON_PAGE: readonly string[] = ['page', 'ndjson']

/** The lines about PostgreSQL that docs/performance.md shows. */
const OF_POSTGRES: readonly string[] = ['item', 'filter', 'q', 'post']

/** The pages that show a result, and how. All of it is in scripts/bench/results. */
export const PAGES = {
  bench: [
    ['docs/performance.md', (page: string, result: Result) => between(page, 'bench', summary(result))],
    ['README.md', (page: string, result: Result) => between(page, 'speed', speed(result))],
  ],
  postgres: [
    [
      'docs/performance.md',
      (page: string, result: Result) => {
        const lines = result.lines.filter(({ work }) => OF_POSTGRES.includes(work))
        return between(page, 'postgres', summary({ ...result, lines }))
      },
    ],
  ],
} as const

/** What users ask: how fast it is with many rows, where no cache helps; the lines that need no explanation. */
function summary(result: Result): string {
  const { rival, ours, about } = contendersOf(result)
  const lines = result.lines.filter((line) => {
    if (NOT_ON_PAGE.includes(line.work)) return false
    const isShown = PAGE_ROWS.includes(line.rows) && !line.title.endsWith(', warm')
    return (isShown || line.unit !== 'requests/s') && notesOn([line]).length === 0
  })
  const cells = lines.map((line) => {
    const unit = line.unit === 'requests/s' ? '' : ` ${line.unit}`
    const title = line.title.replace(/, cold$/, '')
    return [
      title,
      count(line.rows),
      `${count(line.rival)}${unit}`,
      `${count(line.ours)}${unit}`,
      `${count(line.ratio)}×`,
    ]
  })
  return `Requests per second, measured on ${result.date.slice(0, 10)} (${result.machine}, Node ${result.node}):
${about}
medians of alternating rounds. Every URL is new; one that was asked for before is answered from a cache.

${table(`work | rows | ${rival} | ${ours} | ratio`, cells)}`
}

/** The few lines for the README. */
function speed({ date, lines }: Result): string {
  const shown = lines.filter(
    ({ work, rows, title }) => IN_README.includes(work) && rows === README_ROWS && !title.endsWith(', warm'),
  )
  const newer = lines.filter(({ work }) => work === 'newer')
  const cells = shown.map(({ title, rival, ours }) => {
    const name = title.replace(/, cold$/, '')
    const beside = newer.find((line) => line.title.startsWith(`${name}, beside`))
    return [name, count(rival), beside === undefined ? '–' : count(beside.rival), count(ours)]
  })
  return `With ${count(README_ROWS)} rows, every URL new, measured on ${date.slice(0, 10)}:

${table('Requests per second | json-server 0.17.4 | json-server 1.0.0-beta.15 | restable', cells)}`
}

/** The page with this text between its marks. */
function between(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`The page has no ${start} … ${end} to put the result in`)
  return `${before}${start}\n${text}\n${end}${after}`
}
