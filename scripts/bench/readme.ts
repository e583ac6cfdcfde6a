import { count } from './markdown.ts'
import type { Line, Result } from './result.ts'

const START = '<!-- bench -->'
const END = '<!-- /bench -->'

/** The text with this result in the place of the one that stood between the marks. */
export function withResult(readme: string, result: Result): string {
  const [before, rest] = readme.split(START)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`README.md has no ${START} … ${END} to put the result in`)
  return `${before}${START}\n${part(result)}\n${END}${after}`
}

function part({ date, machine, node, lines, growth }: Result): string {
  const missed = [...lines, ...growth].filter(({ isReached }) => isReached === false).length
  return `Measured on ${date.slice(0, 10)} with \`npm run bench\` (${machine}, Node ${node}): each server in a process of its
own with default settings, 16 connections, URLs that vary from request to request, answers compared before they are timed.

| work | rows | json-server | restable | ratio |
| --- | --- | --- | --- | --- |
${lines.map(row).join('\n')}

Bare \`node:http\` sends the very bytes of restable, and the line with the log, which goes to /dev/null, has restable
with \`--quiet\` beside it: these stand in the column of json-server there.

![Time per request as data grows, both servers](scripts/bench/results/growth.svg)

${missed === 0 ? 'All targets are reached' : `Targets that are not reached: ${missed}`}. All tables:
[bench.md](scripts/bench/results/bench.md). Every figure: [bench.json](scripts/bench/results/bench.json).`
}

function row({ title, rows, rival, ours, unit, ratio }: Line): string {
  const cells = [title, count(rows), `${count(rival)} ${unit}`, `${count(ours)} ${unit}`, `${count(ratio)}×`]
  return `| ${cells.join(' | ')} |`
}
