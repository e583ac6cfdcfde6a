import type { StartOptions } from '../index.ts'
import { mayBeDescription } from '../internals.ts'
import type { Command } from './args.ts'
import { INTERRUPTED, print, printError, untilAskedToStop } from './terminal.ts'

type Import = Command & { kind: 'transfer'; way: 'import' }

/** `restable import`: an API description becomes data; what is data already goes into a database. */
export async function importTo(command: Import): Promise<number> {
  const { from, to, options, description } = command
  const { json, ...flags } = description
  const { transfer } = await import('./transfer.ts')
  if (typeof from !== 'string' || !(await mayBeDescription(from))) return transfer(command)
  const stop = new AbortController()
  untilAskedToStop().then(() => stop.abort())
  const { importDescription } = await import('../index.ts')
  try {
    const imported = await importDescription({ ...flags, ...options, from, to, signal: stop.signal })
    if (!imported) return await transfer(command)
    const { report, lines, text, isDone } = imported
    if (text !== undefined) print(text.trimEnd())
    printError(json ? JSON.stringify(report, null, 2) : lines.join('\n'))
    if (isDone) return 0
    printError('Nothing was written: with --strict, all must be used.')
    return 1
  } catch (error) {
    if (!stop.signal.aborted) throw error
    printError('The import was interrupted: nothing was changed.')
    return INTERRUPTED
  }
}

/** Settings with what a description says, where the source is one: it is served from memory. */
export async function withDescription(settings: StartOptions): Promise<StartOptions> {
  const { source, resources, ...others } = settings
  if (typeof source !== 'string' || !(await mayBeDescription(source))) return settings
  const { openDescription } = await import('../index.ts')
  const described = await openDescription(source)
  if (!described) return settings
  const { data, settings: own, rules, report } = described
  const { all, used } = report.operations
  if (!settings.quiet) {
    const rest = used === all ? '' : ` For the others: restable import ${source} --dry-run -`
    printError(`${source}: ${used} of ${all} operations are served from memory.${rest}`)
  }
  const routes = Object.keys(rules).length > 0 ? { routes: rules } : {}
  return { ...own, ...routes, ...others, data, live: false, resources: { ...own.resources, ...resources } }
}
