import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { promisify } from 'node:util'
import groupBy from 'lodash/groupBy.js'
import type { Rounds } from './measure.ts'
import type { Task } from './plan.ts'
import { WARM_URLS } from './requests.ts'
import { logLogSlope, median } from './statistics.ts'

export type Line = ReturnType<typeof lineOf>
export type Result = Awaited<ReturnType<typeof resultOf>>

/** Above this share of a core, the load generator may have been the bottleneck. */
const BUSY = 0.9

/** Notes for lines whose title matches. */
const NOTES = {
  '_(gt|lt|between|in|startsWith|where)`':
    'json-server 0.17.4 is asked for the same rows in its own words, `price_gte` for `price_gt` and so on.',
  'node:http':
    'In the line on bare `node:http`, the json-server column is that server, sending exactly the bytes restable sends.',
  '--quiet':
    'In the line on the log, which goes to /dev/null, the json-server column is restable with `--quiet`.',
  '--no-faults':
    'In the line on faults, where every URL is new, the json-server column is restable with `--no-faults`.',
  'two instances':
    'In the lines on two instances, the file column is one instance, and the load is the same: two have more of it only as far as this machine has cores left. Changes of one schema wait for each other, whatever the number of instances.',
  'json-server 1.0':
    'In the lines on json-server 1.0, the json-server column is 1.0.0-beta.15 on Node 22, which has no `--quiet`.',
  'read: "owner"':
    'In the line on owners, each user asks for all products and gets their own; the json-server column is restable, asked for the same by a filter.',
}

const TEMPERATURE = `Warm: the same URLs (at most ${count(WARM_URLS)}) repeatedly, which restable answers from its cache. Cold: every
URL is new, so each response is computed.`

/** The columns of the tables, and what they are. */
const CONTENDERS = {
  bench: {
    rival: 'json-server',
    ours: 'restable',
    about:
      'restable and json-server 0.17.4, each in its own process with default settings and `--quiet`, 16 connections,',
    cache: 'json-server has no cache and does the same work for both.',
  },
  postgres: {
    rival: 'file',
    ours: 'PostgreSQL',
    about: `restable with a file, and with a PostgreSQL on the same machine (default settings, fsync on), each in processes
of its own with \`--quiet\`, 16 connections unless it says otherwise, the import vacuumed, POSTs one server after the other,`,
    cache:
      'A file is faster where nothing has to cross a socket: in return, any number of instances can share a database.',
  },
} as const

/** Summarizes the rounds of a task, and compares them with the target. */
export function lineOf({ work, rows }: Task, rounds: Rounds) {
  const { name, title, unit, targets, slopeAtMost } = work
  // Ratios per round, because noise affects both servers of a round.
  const ratios = rounds.ours.map((value, round) => value / (rounds.rival[round] ?? Number.NaN))
  const figures = { ours: median(rounds.ours), rival: median(rounds.rival), ratio: median(ratios) }
  const target = targets[rows]
  const figure = figures[target?.of ?? 'ratio']
  const isReached = target && (target.bound === 'at least' ? figure >= target.value : figure <= target.value)
  return { work: name, title, unit, rows, ...figures, target, isReached, slopeAtMost, rounds }
}

/** How time per request grows with the rows, for everything measured at two or more sizes. */
function growthOf(lines: readonly Line[]) {
  const rates = lines.filter(({ unit }) => unit === 'requests/s')
  return Object.entries(groupBy(rates, 'title')).flatMap(([title, same]) => {
    if (same.length < 2) return []
    const slopeOf = (side: 'ours' | 'rival'): number =>
      logLogSlope(same.map((line) => ({ rows: line.rows, ms: 1000 / line[side] })))
    const slope = { ours: slopeOf('ours'), rival: slopeOf('rival') }
    const slopeAtMost = same[0]?.slopeAtMost
    const isReached = slopeAtMost === undefined ? undefined : slope.ours <= slopeAtMost
    return { title, slope, slopeAtMost, isReached }
  })
}

/**
 * The result of one run, with what it depends on.
 * @param faults lines that could not be measured, or whose responses were wrong
 */
export async function resultOf(command: string, seconds: number, lines: readonly Line[], faults: string[]) {
  const head = promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'])
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  return {
    date: new Date().toISOString(),
    command,
    commit: await head.then(({ stdout }) => stdout.trim()).catch(() => 'unknown'),
    machine: `${cpus().length} cores${model === 'unknown' ? '' : ` (${model})`}, ${process.platform} ${process.arch}`,
    node: process.versions.node,
    seconds,
    lines,
    growth: growthOf(lines),
    faults,
  }
}

/** The result as text and tables. */
export function report(result: Result): string {
  const { date, command, commit, machine, node, seconds, lines, growth, faults } = result
  const { rival: theirs, ours: own, about, cache } = contendersOf(result)
  const isTold = lines.some(({ title }) => /, (warm|cold)$/.test(title))
  const busy = lines.filter(({ rounds }) => (rounds.generatorBusy ?? 0) > BUSY).map(({ title }) => title)
  const lineCells = lines.map(({ title, rows, rival, ours, unit, ratio, target, isReached }) => {
    const bound = target && `${target.bound === 'at least' ? '≥' : '≤'} ${target.value}`
    const goal = target && `${bound}${target.of === 'ratio' ? '×' : ` ${unit}`} ${isReached ? '✓' : '✗'}`
    return [title, count(rows), `${count(rival)} ${unit}`, `${count(ours)} ${unit}`, `${count(ratio)}×`, goal]
  })
  const growthCells = growth.map(({ title, slope, slopeAtMost, isReached }) => {
    const goal = slopeAtMost === undefined ? '' : `≤ ${slopeAtMost} ${isReached ? '✓' : '✗'}`
    return [title, slope.rival.toFixed(2), slope.ours.toFixed(2), goal]
  })
  const parts = [
    `Measured on ${date.slice(0, 10)} with \`${command}\` in ${Math.round(seconds)} s (commit ${commit}, ${machine}, Node ${node}):
${about}
medians of alternating rounds. Responses were compared before they were timed.`,
    lines.length > 0 && table(`work | rows | ${theirs} | ${own} | ratio | target`, lineCells),
    [...(isTold ? [`${TEMPERATURE} ${cache}`] : []), ...notesOn(lines)].join('\n'),
    beyondReach(lines),
    busy.length > 0 && `The load generator was as busy as the servers in: ${[...new Set(busy)].join('; ')}.`,
    growth.length > 0 &&
      `How time per request grows with the rows, as the log-log slope (0: not at all, 1: in proportion):

${table(`work | ${theirs} | ${own} | target`, growthCells)}`,
    faults.length > 0 && `Wrong or missing responses:\n\n- ${faults.join('\n- ')}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Targets that even the bare server would miss, where sockets cost more than what json-server does. */
function beyondReach(lines: readonly Line[]): string | false {
  const most = lines.find(({ work }) => work === 'bare')?.rival ?? Number.POSITIVE_INFINITY
  const missed = lines.filter(
    ({ target, rival, unit }) => unit === 'requests/s' && target && target.value * rival > most,
  )
  const limits = missed.map(({ title, rival }) => `${title} (${count(most / rival)}×)`)
  return (
    limits.length > 0 &&
    `Bare \`node:http\` answers ${count(most)} requests/s on this machine, short of the target of: ${limits.join('; ')}.`
  )
}

export function contendersOf({ command }: Result): (typeof CONTENDERS)['bench' | 'postgres'] {
  return CONTENDERS[command.includes('--postgres') ? 'postgres' : 'bench']
}

/** What readers of these lines must know. */
export function notesOn(lines: readonly Line[]): readonly string[] {
  const notes = Object.entries(NOTES).filter(([words]) => lines.some(({ title }) => title.match(words)))
  return notes.map(([, note]) => note)
}

/** A number with its significant digits. */
export function count(value: number): string {
  if (value > 0 && value < 0.01) return String(Number(value.toPrecision(1)))
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return Number(value.toFixed(digits)).toLocaleString('en-US')
}

export function table(head: string, rows: readonly (readonly (string | undefined)[])[]): string {
  const dashes = head.split('|').map(() => '---')
  const lines = [head, dashes.join(' | '), ...rows.map((cells) => cells.join(' | '))]
  return lines.map((line) => `| ${line} |`).join('\n')
}
