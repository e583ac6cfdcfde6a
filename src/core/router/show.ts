import type { Request, Response } from 'express'
import cloneDeep from 'lodash/cloneDeep.js'
import type { SentUrls } from './attachments.ts'
import type { RouterContext } from './context.ts'
import type { Query } from './query/query-string.ts'
import type { RenderableResult } from './read.ts'

/** Sends `res.locals.data`. */
export type Render = (req: Request, res: Response) => unknown

export function render(_req: Request, res: Response): void {
  res.jsonp(res.locals.data)
}

/** A request, and what it is served with. */
export interface Serving {
  readonly context: RouterContext
  readonly renderer: Render
  readonly req: Request
  readonly res: Response
}

/** Custom renderers get a copy: they may modify the data. */
export function show({ context, renderer, req, res }: Serving, { data }: RenderableResult): Promise<void> {
  const { compress, attachments } = context
  const sent = attachments ? withUrls(data, attachments.urlsFor(req)) : data
  res.locals.data = renderer === render || sent !== data ? sent : cloneDeep(data)
  if (isClosed(res)) res.jsonp = res.json
  return new Promise((resolve, reject) => {
    const send = () => Promise.resolve(renderer(req, res)).then(() => resolve(), reject)
    if (compress) compress(req, res, send)
    else void send()
  })
}

/** A copy, if there are any in it. */
function withUrls(data: unknown, urls: SentUrls): unknown {
  const json = JSON.stringify(data)
  const sent = json === undefined ? json : urls.text(json)
  return sent === undefined || sent === json ? data : JSON.parse(sent)
}

/** Whether `res.jsonp` would send what our fast path sends: settings may differ, and middleware may replace it. */
export function isPlainJson({ app }: Request, res: Response): boolean {
  return (
    writesPlainJson(app) &&
    app.settings['jsonp callback name'] === 'callback' &&
    !Object.hasOwn(res, 'send') &&
    !Object.hasOwn(res, 'json') &&
    !Object.hasOwn(res, 'jsonp') &&
    !res.hasHeader('Content-Type')
  )
}

/** Whether `res.json` would write what our fast path writes. */
export function writesPlainJson({ settings }: Request['app']): boolean {
  return (
    settings['json spaces'] === 2 &&
    settings.etag === 'weak' &&
    settings['json replacer'] === undefined &&
    !settings['json escape']
  )
}

/** The function to call in `?callback=show`, unless plain JSON is to be sent. */
export function callbackOf(res: Response, { callback }: Query): string | undefined {
  const [name]: readonly unknown[] = [callback].flat()
  if (typeof name !== 'string' || name === '' || isClosed(res)) return undefined
  return name.replace(/[^[\]\w$.]/g, '')
}

/** JSONP would let pages of other origins embed the response. */
function isClosed(res: Response): boolean {
  return res.getHeader('Cross-Origin-Resource-Policy') === 'same-origin'
}
