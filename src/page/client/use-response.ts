import { useEffect, useRef, useState } from 'preact/hooks'
import { isGone } from './live.ts'
import { type ApiResponse, isOk, send } from './send.ts'

/** Throttle: changes this close together cause one fetch; a stream of them still shows several times a second. */
const SETTLE_MS = 150

/**
 * The response to a GET, fetched again when the path or the revision changes. The last response stays until the
 * next arrives, so that nothing flickers; for that moment it belongs to another path, as `response.path` shows.
 */
export function useResponse(path: string | undefined, revision: string, settleMs?: number) {
  return useReload(path, revision, settleMs).response
}

/** The same, and how to load it again immediately: what was asked before is no longer shown. */
export function useReload(path: string | undefined, revision: string, settleMs = SETTLE_MS) {
  const [response, setResponse] = useState<ApiResponse>()
  const latest = useRef({ path, turn: 0, shown: 0 })
  const timer = useRef<number>(undefined)

  async function load(): Promise<void> {
    latest.current.turn += 1
    const { path: target, turn } = latest.current
    if (target === undefined) return
    const fresh = await send('GET', target)
    // In the order of the questions: a later one may be on its way already.
    if (turn <= latest.current.shown) return
    latest.current.shown = turn
    setResponse((last) => (isStillGood(last, fresh) ? last : fresh))
  }

  function reload(): Promise<void> {
    latest.current.shown = latest.current.turn
    return load()
  }

  useEffect(() => {
    latest.current.path = path
    void reload()
  }, [path])

  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void load()
    }, settleMs)
  }, [revision])

  useEffect(
    () => () => {
      clearTimeout(timer.current)
      latest.current.shown = Number.POSITIVE_INFINITY
    },
    [],
  )

  return { response: path === undefined ? undefined : response, reload }
}

/** While the server is gone, what was loaded stays. */
function isStillGood(last: ApiResponse | undefined, fresh: ApiResponse): boolean {
  return last !== undefined && isGone.value && fresh.status === 0 && last.path === fresh.path && isOk(last)
}

/** The response to a GET, and actions that change what it shows: each loads it again. */
export function useActions(path: string | undefined, revision = '') {
  const [failure, setFailure] = useState<ApiResponse>()
  const { response, reload } = useReload(path, revision)

  async function act(method: string, target: string, body?: object): Promise<ApiResponse> {
    const outcome = await send(method, target, body && { body: JSON.stringify(body) })
    setFailure(isOk(outcome) ? undefined : outcome)
    void reload()
    return outcome
  }

  return { response, failure, act, reload }
}
