import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf, perform, type Terminal } from '../command-line.ts'
import { measure } from './measure.ts'
import { showOnPages } from './pages.ts'
import { type Plan, parsePlan } from './plan.ts'
import { count, growthOf, type Line, lineOf, type Result, report } from './report.ts'
import { openServers } from './servers.ts'

/** The benchmark from command line to exit code, which is 0 unless a response was wrong. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  return await perform(parsePlan(argv), terminal, '\nStopped', async (plan) => {
    const result = await bench(plan, terminal)
    const isComplete = result.faults.length === 0
    await mkdir(plan.out, { recursive: true })
    await writeFile(join(plan.out, 'bench.md'), `${report(result)}\n`)
    await writeFile(join(plan.out, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`)
    if (plan.isWhole && isComplete) await showOnPages(result)
    terminal.out.write(`\n${report(result)}\n`)
    return isComplete ? 0 : 1
  })
}

/** Measures everything in the plan. */
export async function bench({ command, tasks, pace }: Plan, { err, signal }: Terminal): Promise<Result> {
  const started = performance.now()
  const lines: Line[] = []
  const faults: string[] = []
  const servers = await openServers(signal)
  try {
    for (const [index, task] of tasks.entries()) {
      const name = `${task.work.title}, ${count(task.rows)} rows`
      err.write(`[${index + 1}/${tasks.length}] ${name}: `)
      try {
        const line = lineOf(task, await measure(task, servers, pace))
        lines.push(line)
        err.write(`${count(line.ours)} beside ${count(line.rival)} ${line.unit}, ${count(line.ratio)}×\n`)
      } catch (error) {
        signal?.throwIfAborted()
        faults.push(`${name}: ${messageOf(error)}`)
        err.write(`${messageOf(error)}\n`)
      }
    }
  } finally {
    await servers.close()
  }
  return {
    date: new Date().toISOString(),
    command,
    commit: await commit(),
    machine: machine(),
    node: process.versions.node,
    seconds: (performance.now() - started) / 1000,
    lines,
    growth: growthOf(lines),
    faults,
  }
}

function machine(): string {
  const all = cpus()
  const model = all[0]?.model.trim() ?? 'unknown'
  return `${all.length} cores${model === 'unknown' ? '' : ` (${model})`}, ${process.platform} ${process.arch}`
}

async function commit(): Promise<string> {
  const head = promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'])
  return await head.then(({ stdout }) => stdout.trim()).catch(() => 'unknown')
}
