// biome-ignore-all lint/suspicious/noExplicitAny: as in the types of Express itself
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type * as express from 'express'

/** Express's own type if `@types/express` is installed. If not, that is `any`, and `Else` stands for it. */
type Installed<T, Else> = string extends keyof T ? Else : T

export type Request = Installed<express.Request, PlainRequest>
export type Response = Installed<express.Response, PlainResponse>
export type RequestHandler = Installed<express.RequestHandler, PlainHandler>
export type Express = Installed<express.Express, PlainApp>

type PlainHandler = (req: PlainRequest, res: PlainResponse, next: (error?: any) => void) => unknown

interface PlainRequest extends IncomingMessage {
  url: string
  method: string
  readonly originalUrl: string
  readonly baseUrl: string
  readonly path: string
  readonly hostname: string
  readonly protocol: string
  readonly ip: string | undefined
  params: Record<string, string>
  query: Record<string, any>
  body: any
  get(name: string): string | undefined
  header(name: string): string | undefined
}

interface PlainResponse extends ServerResponse {
  readonly locals: Record<string, any>
  status(code: number): this
  sendStatus(code: number): this
  send(body?: any): this
  json(body?: any): this
  jsonp(body?: any): this
  set(name: string | object, value?: string | readonly string[]): this
  get(name: string): string | undefined
  type(type: string): this
  location(url: string): this
  redirect(url: string): void
  redirect(status: number, url: string): void
}

interface PlainRoutes {
  (...handlers: PlainHandlers): PlainApp
  (path: string | RegExp | readonly (string | RegExp)[], ...handlers: PlainHandlers): PlainApp
}

type PlainHandlers = (PlainHandler | readonly PlainHandler[])[]

interface PlainApp {
  (req: IncomingMessage, res: ServerResponse): void
  readonly locals: Record<string, any>
  use: PlainRoutes
  all: PlainRoutes
  get: PlainRoutes
  post: PlainRoutes
  put: PlainRoutes
  patch: PlainRoutes
  delete: PlainRoutes
  set(name: string, value: unknown): this
  enable(name: string): this
  disable(name: string): this
  listen(...args: any[]): Server
}
