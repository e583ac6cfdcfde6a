import { type Response, Router } from 'express'
import type { Feed, FeedEvent } from '../feed.ts'

export interface EventsOptions {
  /**
   * Milliseconds between heartbeats, which keep proxies from closing an idle connection.
   * @default 15000
   */
  heartbeat?: number
}

/** Bytes to buffer for a reader before it counts as gone. */
const PATIENCE = 1024 * 1024

/** Bytes of past requests to start with: few enough that the next event does not find the reader already slow. */
const MOST_BACKLOG = PATIENCE / 2

/**
 * `GET /__events`: server-sent events, `request` for each answered request and `change` for each change of
 * the data. Starts with a backlog of recent requests, as many as fit in the buffer.
 */
export function events(feed: Feed, { heartbeat = 15_000 }: EventsOptions = {}): Router {
  const router = Router()

  router.get('/__events', function events(req, res) {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // No compression along the way: it would hold events back.
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    })
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    res.write('retry: 2000\n\n')
    for (const text of backlog(feed)) res.write(text)

    const beat = setInterval(() => res.write(': alive\n\n'), heartbeat)
    const leave = feed.listen({
      hear(event) {
        if (res.writableLength > PATIENCE) res.destroy()
        else send(res, event)
      },
      // A client that does not read would never finish.
      end: () => (res.writableLength > 0 ? res.destroy() : res.end()),
    })
    res.once('close', () => {
      clearInterval(beat)
      leave()
    })
  })

  return router
}

/** The newest requests that fit, oldest first. */
function backlog({ recent }: Feed): readonly string[] {
  const newest: string[] = []
  let size = 0
  for (const data of recent.toReversed()) {
    const text = textOf({ type: 'request', data })
    size += Buffer.byteLength(text)
    if (size > MOST_BACKLOG) break
    newest.unshift(text)
  }
  return newest
}

function send(res: Response, event: FeedEvent): void {
  const text = texts.get(event) ?? textOf(event)
  texts.set(event, text)
  res.write(text)
}

/** Serialized once, however many listen. */
const texts = new WeakMap<FeedEvent, string>()

/** JSON contains no raw line breaks, so one `data:` line is enough. */
function textOf({ type, data }: FeedEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
