import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf, perform, type Terminal } from '../command-line.ts'
import { count, markdown } from './markdown.ts'
import { measureMemory, measureP99, measureStartup } from './measure-process.ts'
import { measurePosts, measureRate, type Sides } from './measure-rate.ts'
import { type BenchOptions, parseOptions } from './options.ts'
import { inShortRounds, type Pace, paceOf, plan, type Task } from './plan.ts'
import { plot } from './plot.ts'
import { progress } from './progress.ts'
import { withResult } from './readme.ts'
import { type Fault, growthOf, type Line, lineOf, type Result } from './result.ts'
import type { LoadName } from './works.ts'
import { BOTH, openWorkshop, type Workshop } from './workshop.ts'

/** The measurement from command line to exit code, which is 0 unless an answer was wrong. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  return await perform(parseOptions(argv), terminal, '\nStopped', async (options) => {
    const result = await bench(options, terminal)
    await keep(result, options.out)
    if (options.isWhole && result.faults.length === 0)
      await writeFile('README.md', withResult(await readFile('README.md', 'utf8'), result))
    terminal.out.write(markdown(result))
    return result.faults.length === 0 ? 0 : 1
  })
}

/** Measures everything that was asked for. */
export async function bench(
  options: BenchOptions,
  terminal: Terminal,
  pace: Pace = paceOf(options),
): Promise<Result> {
  const started = performance.now()
  const tasks = plan(options)
  const shown = progress(tasks.length, terminal.err)
  const lines: Line[] = []
  const faults: Fault[] = []
  const workshop = await openWorkshop(terminal.signal)
  try {
    for (const task of tasks) {
      const { work, rows } = task
      shown.begin(`${work.title}, ${count(rows)} rows`)
      try {
        const line = lineOf(task, await measure(task, workshop, pace))
        lines.push(line)
        shown.done(`${count(line.ours)} beside ${count(line.rival)} ${line.unit}, ${count(line.ratio)}×`)
      } catch (error) {
        terminal.signal?.throwIfAborted()
        faults.push({ work: work.name, rows, message: messageOf(error) })
        shown.done(messageOf(error))
      }
    }
  } finally {
    await workshop.close()
  }
  return {
    date: new Date().toISOString(),
    commit: await commit(),
    machine: machine(),
    node: process.versions.node,
    isQuick: options.isQuick,
    seconds: (performance.now() - started) / 1000,
    lines,
    growth: growthOf(lines),
    faults,
  }
}

async function measure({ work, rows }: Task, workshop: Workshop, pace: Pace): Promise<Sides> {
  const { name } = work
  const rates = (load: LoadName, names = BOTH, rounds = pace): Promise<Sides> =>
    workshop.withPair(names, rows, (pair) => measureRate(load, pair, workshop.sample(rows), rounds))
  switch (name) {
    case 'post':
      return await measurePosts(workshop, rows, pace)
    case 'startup':
      return await measureStartup(workshop, rows, pace)
    case 'memory':
      return await measureMemory(workshop, rows, pace)
    case 'p99':
      return await measureP99(workshop, rows, pace)
    case 'bare':
      return await rates('item', ['restable', 'bare'], inShortRounds(pace))
    case 'log':
      return await rates('item', ['restable with its log', 'restable'], inShortRounds(pace))
    default:
      return await rates(name)
  }
}

async function keep(result: Result, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'bench.md'), markdown(result))
  await writeFile(join(folder, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`)
  if (result.growth.length === 0) return
  const caption = `${result.date.slice(0, 10)}, ${result.machine}, Node ${result.node}, 16 connections`
  await writeFile(join(folder, 'growth.svg'), plot(result.growth, caption))
}

function machine(): string {
  const all = cpus()
  const model = all[0]?.model.trim() ?? 'unknown'
  return `${all.length} cores${model === 'unknown' ? '' : ` (${model})`}, ${process.platform} ${process.arch}`
}

async function commit(): Promise<string> {
  const git = promisify(execFile)
  const head = await git('git', ['rev-parse', '--short', 'HEAD']).catch(() => undefined)
  return head?.stdout.trim() ?? 'unknown'
}
