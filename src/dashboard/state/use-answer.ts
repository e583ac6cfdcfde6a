import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, send } from '../api/send.ts'

/** Changes that come this close together are fetched once; a stream of them still shows several times a second. */
const SETTLE_MS = 150

/**
 * The answer to a GET, fetched again when the path or the revision changes. The last answer stays until the
 * next is there, so that nothing flickers; it belongs to another path for that moment, which `answer.path` tells.
 */
export function useAnswer(path: string | undefined, revision: string): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>()
  const wanted = useRef({ path, turn: 0 })
  const timer = useRef<number>(undefined)

  async function load(): Promise<void> {
    wanted.current.turn += 1
    const { path: asked, turn } = wanted.current
    if (asked === undefined) return
    const fresh = await send('GET', asked)
    if (turn === wanted.current.turn) setAnswer(fresh)
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
    }, SETTLE_MS)
  }, [revision])

  useEffect(
    () => () => {
      clearTimeout(timer.current)
      wanted.current.turn += 1
    },
    [],
  )

  return path === undefined ? undefined : answer
}
