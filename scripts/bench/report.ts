import type { Rounds } from './measure.ts'
import type { Task } from './plan.ts'
import { WARM_URLS } from './requests.ts'
import { logLogSlope, median } from './statistics.ts'
import { type Target, works } from './works.ts'

/** A line of the table. */
export type Line = ReturnType<typeof lineOf>

/** The result of one run. */
export interface Result {
  readonly date: string
  readonly command: string
  readonly commit: string
  readonly machine: string
  readonly node: string
  readonly seconds: number
  readonly lines: readonly Line[]
  readonly growth: ReturnType<typeof growthOf>
  /** Lines that could not be measured, or whose responses were wrong. */
  readonly faults: readonly string[]
}

const START = '<!-- bench -->'
const END = '<!-- /bench -->'
/** Above this share of a core, the load generator may have been the bottleneck. */
const BUSY = 0.9

/** Notes for lines whose title contains these words. */
const NOTES = [
  {
    words: /, (warm|cold)$/,
    note: `Warm: the same URLs (at most ${count(WARM_URLS)}) repeatedly, which restable answers from its cache. Cold: every
URL is new, so each response is computed. json-server has no cache and does the same work for both.`,
  },
  {
    words: /_(gt|lt|between|in|startsWith|where)`/,
    note: 'json-server 0.17.4 is asked for the same rows in its own words, `price_gte` for `price_gt` and so on.',
  },
  {
    words: /node:http/,
    note: 'In the line on bare `node:http`, the json-server column is that server, sending exactly the bytes restable sends.',
  },
  {
    words: /--quiet/,
    note: 'In the line on the log, which goes to /dev/null, the json-server column is restable with `--quiet`.',
  },
]

/** Summarizes the rounds of a task, and compares them with the target. */
export function lineOf({ work, rows }: Task, rounds: Rounds) {
  const { name, title, unit, targets } = work
  // Ratios per round, because noise affects both servers of a round.
  const ratios = rounds.ours.map((value, round) => value / (rounds.rival[round] ?? Number.NaN))
  const figures = { ours: median(rounds.ours), rival: median(rounds.rival), ratio: median(ratios) }
  const target = targets[rows]
  const isReached = target && reaches(target, figures[target.of])
  return { work: name, title, unit, rows, ...figures, target, isReached, rounds }
}

/** How time per request grows with the rows, for everything measured at two or more sizes. */
export function growthOf(lines: readonly Line[]) {
  const rates = lines.filter(({ unit }) => unit === 'requests/s')
  return [...new Set(rates.map(({ title }) => title))].flatMap((title) => {
    const same = rates.filter((line) => line.title === title)
    if (same.length < 2) return []
    const slopeOf = (side: 'ours' | 'rival'): number =>
      logLogSlope(same.map((line) => ({ rows: line.rows, ms: 1000 / line[side] })))
    const slope = { ours: slopeOf('ours'), rival: slopeOf('rival') }
    const slopeAtMost = works.find((work) => work.title === title)?.slopeAtMost
    return {
      title,
      slope,
      slopeAtMost,
      isReached: slopeAtMost === undefined ? undefined : slope.ours <= slopeAtMost,
    }
  })
}

/** The result as text and tables. */
export function report(result: Result): string {
  const { date, command, commit, machine, node, seconds, lines, growth, faults } = result
  const notes = NOTES.filter(({ words }) => lines.some(({ title }) => words.test(title)))
  const busy = lines.filter(({ rounds }) => (rounds.generatorBusy ?? 0) > BUSY).map(({ title }) => title)
  const parts = [
    `Measured on ${date.slice(0, 10)} with \`${command}\` in ${Math.round(seconds)} s (commit ${commit}, ${machine}, Node ${node}):
restable and json-server 0.17.4, each in its own process with default settings and \`--quiet\`, 16 connections,
medians of alternating rounds. Responses were compared before they were timed.`,
    lines.length > 0 && lineTable(lines),
    notes.map(({ note }) => note).join('\n'),
    busy.length > 0 && `The load generator was as busy as the servers in: ${[...new Set(busy)].join('; ')}.`,
    growth.length > 0 && growthTable(growth),
    faults.length > 0 && `Wrong or missing responses:\n\n- ${faults.join('\n- ')}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** The page with this result between the marks. */
export function withResult(page: string, result: Result): string {
  const [before, rest] = page.split(START)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`The page has no ${START} … ${END} to put the result in`)
  return `${before}${START}\n${report(result)}\n${END}${after}`
}

/** A number with its significant digits. */
export function count(value: number): string {
  if (value > 0 && value < 0.01) return String(Number(value.toPrecision(1)))
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return Number(value.toFixed(digits)).toLocaleString('en-US')
}

function lineTable(lines: readonly Line[]): string {
  const cells = lines.map(({ title, rows, rival, ours, unit, ratio, target, isReached }) => {
    const ofUnit = `${target?.value}${target?.of === 'ratio' ? '×' : ` ${unit}`}`
    const goal = target && `${target.bound === 'at least' ? '≥' : '≤'} ${ofUnit} ${isReached ? '✓' : '✗'}`
    return [title, count(rows), `${count(rival)} ${unit}`, `${count(ours)} ${unit}`, `${count(ratio)}×`, goal]
  })
  return table(['work', 'rows', 'json-server', 'restable', 'ratio', 'target'], cells)
}

function growthTable(growth: Result['growth']): string {
  const cells = growth.map(({ title, slope, slopeAtMost, isReached }) => {
    const goal = slopeAtMost === undefined ? '' : `≤ ${slopeAtMost} ${isReached ? '✓' : '✗'}`
    return [title, slope.rival.toFixed(2), slope.ours.toFixed(2), goal]
  })
  const heading =
    'How time per request grows with the rows, as the log-log slope (0: not at all, 1: in proportion):'
  return `${heading}\n\n${table(['work', 'json-server', 'restable', 'target'], cells)}`
}

function table(heads: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function reaches({ bound, value }: Target, figure: number): boolean {
  return bound === 'at least' ? figure >= value : figure <= value
}
