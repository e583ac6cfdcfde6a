import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import { mounts } from '../../core/kernel/http/request-context.ts'
import type { App } from './app.ts'

type Next = (error?: unknown) => void

/** As Node's servers, connect and Express call it. Without `next`, unknown paths get a 404. */
export type MountedHandler = (req: IncomingMessage, res: ServerResponse, next?: Next) => void

export type HandleRequest = (req: Request, res: Response, next?: Next) => void

/** A request with the fields that another app may have set. */
export type HostRequest = IncomingMessage & Partial<Pick<Request, 'originalUrl' | 'baseUrl' | 'params'>>

/**
 * The app as a handler of another one. Below the path where it is mounted, everything is as on a port of its own.
 * @param base the path, where the other app does not cut it off
 */
export function mountedHandler(app: App, handle: HandleRequest, base: string): MountedHandler {
  return function restable(req, res, next) {
    const passOn = next && leaving(req, res, next)
    if (base !== '') cutOff(req, base)
    const path = mountPath(req)
    if (path !== '' && isWithoutSlash(req)) {
      // The page has relative URLs.
      const [, query = ''] = (req.url ?? '').split(/(?=\?)/, 2)
      res.writeHead(302, { Location: `${path}/${query}` }).end()
      return
    }
    Object.setPrototypeOf(req, app.request)
    Object.setPrototypeOf(res, app.response)
    mounts.set(req, { path, passesOn: next !== undefined })
    handle(req as Request, res as Response, passOn)
  }
}

function cutOff(req: HostRequest, base: string): void {
  const { url = '/' } = req
  const isWhole = req.originalUrl === undefined && req.baseUrl === undefined
  if (!isWhole || !`${pathOf(url)}/`.startsWith(`${base}/`)) return
  const rest = url.slice(base.length)
  Object.assign(req, { originalUrl: url, url: rest.startsWith('/') ? rest : `/${rest}` })
}

/** The path that the other app cut off the URL. Express says so; connect, and Vite with it, keep the whole URL only. */
export function mountPath(req: HostRequest): string {
  if (req.baseUrl !== undefined) return req.baseUrl
  const own = pathOf(req.url)
  const sent = pathOf(req.originalUrl ?? req.url)
  if (own === '/' && !sent.endsWith('/')) return sent
  return sent.endsWith(own) ? sent.slice(0, sent.length - own.length) : ''
}

function isWithoutSlash(req: HostRequest): boolean {
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  return isRead && pathOf(req.url) === '/' && !pathOf(req.originalUrl).endsWith('/')
}

function pathOf(url = '/'): string {
  return url.split('?', 1).join('')
}

/** Gives request and response back to the other app as they were. */
function leaving(req: HostRequest, res: ServerResponse & { readonly locals?: object }, next: Next): Next {
  const { url, originalUrl, baseUrl, params } = req
  const { locals } = res
  const [request, response] = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)]
  const headers = res.getHeaders()
  return (error) => {
    for (const name of res.getHeaderNames()) {
      const before = headers[name]
      if (before === undefined) res.removeHeader(name)
      else res.setHeader(name, before)
    }
    Object.setPrototypeOf(req, request)
    Object.setPrototypeOf(res, response)
    Object.assign(req, { url, originalUrl, baseUrl, params })
    Object.assign(res, { locals })
    next(error)
  }
}
