import { ConfigError } from '../../catalogue/error-classes.ts'
import { parseData } from '../../storage/formats/load.ts'
import type { Data } from '../../storage/types.ts'

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
