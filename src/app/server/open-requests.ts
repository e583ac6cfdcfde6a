import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

const GRACE_MS = 5000

/** The requests that came through `handler` and `fetch`. */
export class OpenRequests {
  readonly #open = new Set<ServerResponse>()

  /** Returns what to call when another app takes over the response. */
  add(res: ServerResponse): () => void {
    const remove = () => void this.#open.delete(res)
    this.#open.add(res)
    res.once('close', remove)
    return remove
  }

  /** Lets them finish. Those not done after a while are cut off. */
  async close(): Promise<void> {
    const closed = [...this.#open].map((res) => once(res, 'close'))
    const cutOff = setTimeout(() => {
      for (const res of this.#open) res.destroy()
    }, GRACE_MS)
    await Promise.allSettled(closed)
    clearTimeout(cutOff)
  }
}
