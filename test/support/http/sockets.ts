import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import express, { type Express } from 'express'

/** An app that says hello to everything. */
export function hello(): Express {
  return express().use((_req, res) => void res.send('hello'))
}

/** An app that ends its response with `late` when told to; `early` is sent immediately. */
export function slowApp(early?: string): { app: Express; arrived: Promise<void>; finish: () => void } {
  let arrive = () => {}
  let finish = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const told = new Promise<void>((resolve) => {
    finish = resolve
  })
  const app = express().use(async (_req, res) => {
    if (early) res.write(early)
    arrive()
    await told
    res.end('late')
  })
  return { app, arrived, finish }
}

/** The body of a response, over a new connection. */
export async function ask(options: RequestOptions): Promise<string> {
  const req = request({ agent: false, ...options }).end()
  const [res]: IncomingMessage[] = await once(req, 'response')
  return res ? text(res) : ''
}

/** A connection on which nothing was sent yet. */
export async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}
