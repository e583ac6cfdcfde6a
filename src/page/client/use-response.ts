import { useEffect, useRef, useState } from 'preact/hooks'
import { isGone } from './live.ts'
import { type ApiResponse, isOk, send } from './send.ts'

/** Throttle: changes this close together cause one fetch; a stream of them still shows several times a second. */
const SETTLE_MS = 150

/**
 * The response to a GET, fetched again when the path or the revision changes. The last response stays until the
 * next arrives, so that nothing flickers; for that moment it belongs to another path, as `response.path` shows.
 */
export function useResponse(
  path: string | undefined,
  revision: string,
  settleMs = SETTLE_MS,
): ApiResponse | undefined {
  const [response, setResponse] = useState<ApiResponse>()
  const latest = useRef({ path, turn: 0 })
  const timer = useRef<number>(undefined)

  async function load(): Promise<void> {
    latest.current.turn += 1
    const { path: target, turn } = latest.current
    if (target === undefined) return
    const fresh = await send('GET', target)
    if (turn === latest.current.turn) setResponse((last) => (isStillGood(last, fresh) ? last : fresh))
  }

  useEffect(() => {
    latest.current.path = path
    void load()
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
      latest.current.turn += 1
    },
    [],
  )

  return path === undefined ? undefined : response
}

/** While the server is gone, what was loaded stays. */
function isStillGood(last: ApiResponse | undefined, fresh: ApiResponse): boolean {
  return last !== undefined && isGone.value && fresh.status === 0 && last.path === fresh.path && isOk(last)
}

/** The response to a GET, and actions that change what it shows: each loads it again. */
export function useActions(path: string | undefined, revision = '') {
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<ApiResponse>()
  const response = useResponse(path, `${turn} ${revision}`)
  const reload = () => setTurn((count) => count + 1)

  async function act(method: string, target: string, body?: object): Promise<ApiResponse> {
    const outcome = await send(method, target, body && { body: JSON.stringify(body) })
    setFailure(isOk(outcome) ? undefined : outcome)
    reload()
    return outcome
  }

  return { response, failure, act, reload }
}
