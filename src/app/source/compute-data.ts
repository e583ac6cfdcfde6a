import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { withFiniteNumbers } from '../../json/limits.ts'
import { checkData } from '../../storage/formats/load.ts'
import type { Data } from '../../storage/types.ts'
import { missingRemedy } from './explain-source.ts'
import { lineOf, loadModule } from './load-module.ts'

const FUNCTION_MS = 60_000

/** The data that a JavaScript or TypeScript file exports, or its function makes. */
export async function computeData(source: string, version?: number, patienceMs = FUNCTION_MS): Promise<Data> {
  const file = resolve(source)
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile())
    throw new ConfigError(`source: there is no file "${source}". ${missingRemedy(source)}`)
  const exported = await loadModule(file, `source: "${source}"`, version)
  const value = isFunction(exported) ? await call(exported, source, patienceMs) : exported
  const data = checkData(value, source)
  // Non-finite numbers become null, as clients see them, so that filters and sorting agree.
  return withFiniteNumbers(data) ?? data
}

async function call(make: () => unknown, source: string, patienceMs: number): Promise<unknown> {
  const name = `source: the function that "${source}" exports`
  let timer: NodeJS.Timeout | undefined
  // With nothing else left to do, a promise that never resolves would silently end the process.
  const tooLate = new Promise<never>((_, reject) => {
    const late = new ConfigError(
      `${name} did not finish in ${patienceMs / 1000} s. Check that its promise resolves.`,
    )
    timer = setTimeout(() => reject(late), patienceMs)
  })
  try {
    return await Promise.race([make(), tooLate])
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new ConfigError(`${name} failed${lineOf(cause, resolve(source))}: ${why}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function'
}
