import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { lineOf, loadModule, PATIENCE_MS, type Version } from '../config/load-module.ts'
import type { Data } from '../core/engine/types.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { withFiniteNumbers } from '../core/kernel/json/limits.ts'
import { inTime } from '../core/kernel/util/in-time.ts'
import { checkData, parseData } from '../stores/formats/load.ts'
import { noSuchFile } from './explain-source.ts'

/** The data that a JavaScript or TypeScript file exports, or its function makes. */
export async function computeData(
  source: string,
  version?: Version,
  patienceMs = PATIENCE_MS,
): Promise<Data> {
  const file = resolve(source)
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile()) throw noSuchFile(source)
  const exported = await loadModule(file, `source: "${source}"`, version)
  const value = isFunction(exported) ? await call(exported, source, patienceMs) : exported
  const data = checkData(value, source)
  // Non-finite numbers become null, as clients see them, so that filters and sorting agree.
  return withFiniteNumbers(data) ?? data
}

async function call(make: () => unknown, source: string, patienceMs: number): Promise<unknown> {
  const name = `source: the function that "${source}" exports`
  const late = `${name} did not finish in ${patienceMs / 1000} s. Check that its promise resolves.`
  try {
    // With nothing else left to do, a promise that never resolves would silently end the process.
    return await inTime((async () => make())(), patienceMs, () => new ConfigError(late))
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new ConfigError(`${name} failed${lineOf(cause, resolve(source))}: ${why}`, { cause })
  }
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function'
}

const FETCH_MS = 10_000

/** The data at an http(s) URL. */
export async function fetchData(address: string, patienceMs = FETCH_MS): Promise<Data> {
  if (!URL.canParse(address)) {
    throw new ConfigError('source: this is not a valid http(s) URL. Check it.')
  }
  const url = new URL(address)
  const headers = new Headers({ accept: 'application/json' })
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
  url.username = ''
  url.password = ''
  // Without user, password and query: they may be secrets, and messages end up in logs.
  const name = `${url.origin}${url.pathname}`
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const response = await fetch(url, { headers, signal })
    if (!response.ok) {
      throw new ConfigError(`source: ${name} answered ${response.status}. Open it in a browser and check it.`)
    }
    return parseData(await response.text(), name)
  } catch (cause) {
    if (signal.aborted) {
      throw new ConfigError(`source: ${name} did not answer within ${patienceMs / 1000} seconds.`, { cause })
    }
    if (!(cause instanceof TypeError)) throw cause
    throw new ConfigError(`source: ${name} cannot be reached (${reason(cause)}). Check the URL.`, {
      cause,
    })
  }
}

/** `fetch` says only "fetch failed"; what happened is in its cause. */
function reason({ cause, message }: TypeError): string {
  if (cause instanceof AggregateError) return String(Reflect.get(cause, 'code') ?? message)
  return cause instanceof Error ? String(Reflect.get(cause, 'code') ?? cause.message) : message
}
