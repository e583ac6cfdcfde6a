import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiResponse, send } from './send.ts'

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
  const wanted = useRef({ path, turn: 0 })
  const timer = useRef<number>(undefined)

  async function load(): Promise<void> {
    wanted.current.turn += 1
    const { path: asked, turn } = wanted.current
    if (asked === undefined) return
    const fresh = await send('GET', asked)
    if (turn === wanted.current.turn) setResponse(fresh)
  }

  useEffect(() => {
    wanted.current.path = path
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
      wanted.current.turn += 1
    },
    [],
  )

  return path === undefined ? undefined : response
}
