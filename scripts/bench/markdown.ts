import type { Growth, Line, Result } from './result.ts'
import type { Target, WorkName } from './targets.ts'

/** The generator was as busy as the server: the server could have done more. */
const BUSY = 0.9

/** What stands in the column of json-server where it is not json-server. */
const OTHER_THAN_JSON_SERVER: Partial<Record<WorkName, string>> = {
  bare: 'In the line beside bare node:http the other server is that one; it sends the very bytes of restable.',
  log: 'In the line with the log the other server is restable with `--quiet`, and restable writes its log to /dev/null.',
}

/** The result as tables. */
export function markdown(result: Result): string {
  const { lines, growth, faults } = result
  const parts = [
    `# restable beside json-server 0.17.4${result.isQuick ? ' (quick run)' : ''}`,
    `${result.date.slice(0, 10)}, ${result.machine}, Node ${result.node}, commit ${result.commit}, ${Math.round(result.seconds)} s. ` +
      'Each server in a process of its own with default settings and `--quiet`, 16 connections, ' +
      'URLs that vary from request to request, medians of rounds taken in turns (of a ratio, round by round). Answers were compared before they were timed.',
    lines.length === 0 ? '' : lineTable(lines),
    notes(lines),
    growth.length === 0 ? '' : `## Time per request as data grows\n\n${growthTable(growth)}`,
    faults.length === 0
      ? ''
      : `## Wrong or missing answers\n\n${faults.map(({ work, rows, message }) => `- ${work}, ${count(rows)} rows: ${message}`).join('\n')}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** A number with as many digits as say something. */
export function count(value: number): string {
  if (value > 0 && value < 0.01) return String(Number(value.toPrecision(1)))
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return Number(value.toFixed(digits)).toLocaleString('en-US')
}

function lineTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.title,
    line.insteadOf === undefined ? count(line.rows) : `${count(line.rows)} (not ${count(line.insteadOf)})`,
    `${count(line.rival)} ${line.unit}`,
    `${count(line.ours)} ${line.unit}`,
    `${count(line.ratio)}×`,
    line.target === undefined ? '' : targetText(line.target, line.unit),
    verdict(line.isReached),
  ])
  return table(['work', 'rows', 'json-server', 'restable', 'ratio', 'target', 'reached'], rows)
}

function growthTable(growth: readonly Growth[]): string {
  const sizes = [...new Set(growth.flatMap(({ ours }) => ours.map(({ rows }) => rows)))].sort((a, b) => a - b)
  const rows = growth.flatMap(({ title, ours, rival, slope, slopeAtMost, isReached }) => {
    const times = (points: Growth['ours']): readonly string[] =>
      sizes.map((size) => {
        const point = points.find((one) => one.rows === size)
        return point === undefined ? '' : `${point.ms < 1 ? point.ms.toPrecision(2) : count(point.ms)} ms`
      })
    return [
      [title, 'restable', ...times(ours), slope.ours.toFixed(2), `≤ ${slopeAtMost}`, verdict(isReached)],
      ['', 'json-server', ...times(rival), slope.rival.toFixed(2), '', ''],
    ]
  })
  return table(['work', 'server', ...sizes.map(count), 'log-log slope', 'target', 'reached'], rows)
}

function notes(lines: readonly Line[]): string {
  const busy = lines.filter(({ rounds }) => (rounds.ours.generatorBusy ?? 0) > BUSY).map(({ title }) => title)
  const said = [
    ...lines.flatMap(({ work }) => OTHER_THAN_JSON_SERVER[work] ?? []),
    ...(lines.some(({ insteadOf }) => insteadOf !== undefined)
      ? ['Lines with another size than their target’s are not judged.']
      : []),
    ...(busy.length > 0
      ? [`The load generator had no time left in: ${busy.join(', ')}. The servers may be faster than shown.`]
      : []),
  ]
  return said.join(' ')
}

function targetText({ of, bound, value }: Target, unit: string): string {
  return `${bound === 'at least' ? '≥' : '≤'} ${value}${of === 'ratio' ? '×' : ` ${unit}`}`
}

function verdict(isReached: boolean | undefined): string {
  return isReached === undefined ? '' : isReached ? '✓' : '✗'
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
