import type { Request, RequestHandler, Response } from 'express'
import { ignoredParts } from '../../core/kernel/http/request-context.ts'
import { originalErrors } from '../../core/kernel/http/send-json.ts'
import { type WorldState, worldOf } from '../../core/kernel/http/world.ts'
import type { Feed } from '../../core/kernel/util/feed.ts'
import { CapturedBody, passedBody } from '../../core/layers/parts/captured-body.ts'
import type { Sent } from '../../core/router/response/response-cache.ts'
import { Recorded } from './recorded.ts'
import type { RequestLog } from './request-log.ts'

/** Records what clients send, for `GET /__requests` and for who listens. */
export class RequestRecorder {
  readonly #logs: WorldState<RequestLog>
  #count = 0

  constructor(logs: WorldState<RequestLog>) {
    this.#logs = logs
  }

  /** Behind compression, for plain bodies, and before all else, for refusals. */
  readonly handler: RequestHandler = (req, res, next) => {
    const world = worldOf(req)
    const isLogged = !isAboutUs(req)
    if (isLogged || (world.feed.wantsRequests && !isOurs(req))) {
      const recorded = new Recorded(++this.#count, world.clock.now(), req)
      const log = isLogged ? world.of(this.#logs) : undefined
      log?.add(recorded)
      record(recorded, req, res, { log, feed: world.feed })
    }
    next()
  }

  /** A response of the base that was sent again, in front of all handlers. */
  replayed(req: Request, { head, body }: Sent, at: number): void {
    this.#logs.base.add(new Recorded(++this.#count, at, req, 200, head, passedBody(body)))
  }
}

const HOME = /^\/(?:index\.html)?(?:\?|$)/

/** Requests for the page and for what is said about the server, and those that browsers send before others. */
function isAboutUs({ method, url }: Request): boolean {
  return url.startsWith('/__') || method === 'OPTIONS' || (HOME.test(url) && /^(?:GET|HEAD)$/.test(method))
}

function isOurs({ url }: Request): boolean {
  return url.startsWith('/__dashboard/') || /^\/__events\/?(?:\?|$)/.test(url)
}

interface Hearers {
  readonly log: RequestLog | undefined
  readonly feed: Feed
}

function record(recorded: Recorded, req: Request, res: Response, { log, feed }: Hearers): void {
  const start = performance.now()
  if (req.method !== 'GET' && req.method !== 'HEAD') captureRequest(recorded, req)
  const finish = () => {
    recorded.method = req.method
    recorded.status = res.statusCode
    recorded.ms = performance.now() - start
    recorded.responseHeaders = res.getHeaders()
    // A host's own response has none.
    recorded.layer = res.locals?.refusedBy
    recorded.error = originalErrors.get(res)
    recorded.ignored = ignoredParts.get(req)
    log?.measure(recorded)
  }
  captureResponse(recorded, res, finish)
  // A response closes once.
  res.on('close', () => {
    if (!res.writableFinished) {
      finish()
      recorded.status = 0
    }
    try {
      if (feed.wantsRequests) feed.emit({ type: 'request', data: recorded.describe() })
    } catch (error) {
      // Uncaught, it would end the process.
      console.warn(
        `A request could not be recorded: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  })
}

/** Listens only once something else reads the body: our listener alone would drain it. */
function captureRequest(recorded: Recorded, req: Request): void {
  req.on('newListener', function join(event) {
    if (event !== 'data') return
    req.off('newListener', join)
    const body = new CapturedBody()
    recorded.requestBody = body
    req.on('data', (chunk: unknown) => body.take(chunk))
  })
}

/** @param onEnd called when all of it was handed over: before the client has it */
function captureResponse(recorded: Recorded, res: Response, onEnd: () => void): void {
  const { write, end } = res
  let pieces: CapturedBody | undefined
  res.write = (...args: unknown[]) => {
    pieces ??= new CapturedBody()
    recorded.responseBody = pieces
    pieces.take(args[0], args[1])
    return Reflect.apply(write, res, args)
  }
  res.end = (...args: unknown[]) => {
    if (pieces) pieces.take(args[0], args[1])
    else recorded.responseBody = passedBody(args[0], args[1])
    const ended = Reflect.apply(end, res, args)
    onEnd()
    return ended
  }
}
