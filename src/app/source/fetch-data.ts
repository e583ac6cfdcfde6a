import { ConfigError } from '../../catalogue/error-classes.ts'
import { parseData } from '../../storage/json/load.ts'
import type { Data } from '../../storage/types.ts'

const PATIENCE_MS = 10_000

export async function fetchData(address: string, patienceMs = PATIENCE_MS): Promise<Data> {
  const url = parseAddress(address)
  const headers = new Headers({ accept: 'application/json' })
  if (url.username !== '') headers.set('authorization', `Basic ${credentials(url)}`)
  url.username = ''
  url.password = ''
  const name = nameOf(url)
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

function parseAddress(address: string): URL {
  try {
    return new URL(address)
  } catch (cause) {
    throw new ConfigError('source: this is not a valid http(s) URL. Check it.', { cause })
  }
}

function credentials(url: URL): string {
  return Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString(
    'base64',
  )
}

/** Without user, password and query: they may be secrets, and messages end up in logs. */
function nameOf(url: URL): string {
  return `${url.origin}${url.pathname}`
}

/** `fetch` says only "fetch failed"; what happened is in its cause. */
function reason({ cause, message }: TypeError): string {
  if (cause instanceof AggregateError) return String(Reflect.get(cause, 'code') ?? message)
  return cause instanceof Error ? String(Reflect.get(cause, 'code') ?? cause.message) : message
}
