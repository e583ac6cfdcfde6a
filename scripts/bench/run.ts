import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, perform, type Terminal } from '../command-line.ts'
import { hasPostgres } from './database.ts'
import { measure } from './measure.ts'
import { PAGES } from './pages.ts'
import { type Plan, parsePlan } from './plan.ts'
import { count, type Line, lineOf, type Result, report, resultOf } from './report.ts'
import { openServers } from './servers.ts'

/** The benchmark from command line to exit code, which is 0 unless a response was wrong. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  return await perform(parsePlan(argv), terminal, '\nStopped', async (plan) => {
    if (plan.kind === 'postgres' && !hasPostgres()) {
      terminal.err.write(
        'Nothing is measured: this machine has no PostgreSQL (apt-get install postgresql).\n',
      )
      return 0
    }
    const result = await bench(plan, terminal)
    const isComplete = result.faults.length === 0
    await mkdir(plan.out, { recursive: true })
    await writeFile(join(plan.out, 'bench.md'), `${report(result)}\n`)
    await writeFile(join(plan.out, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`)
    if (plan.isWhole && isComplete)
      for (const [page, update] of PAGES[plan.kind])
        await writeFile(page, update(await readFile(page, 'utf8'), result))
    terminal.out.write(`\n${report(result)}\n`)
    return isComplete ? 0 : 1
  })
}

/** Measures everything in the plan. */
async function bench({ command, tasks, pace }: Plan, { err, signal }: Terminal): Promise<Result> {
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
  return await resultOf(command, (performance.now() - started) / 1000, lines, faults)
}
