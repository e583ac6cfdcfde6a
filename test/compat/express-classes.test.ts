import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import express from 'express'
import { expect, it } from 'vitest'
import { create } from '../../src/serve/server/app.ts'
import { createServer } from '../../src/serve/server/server.ts'
import { serving } from '../support/http/serving.ts'
import { hello } from '../support/http/sockets.ts'

// V8's own word on how it keeps an object.
setFlagsFromString('--allow-natives-syntax')
const isFast = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean
setFlagsFromString('--no-allow-natives-syntax')

it('creates requests and responses with the prototypes of the app', async () => {
  const app = create().use((_req, res) => void res.end())
  const server = createServer(app)
  const seen = once(server, 'request')
  await fetch(await serving(server.listen(0, '127.0.0.1')))
  const [req, res] = await seen
  expect(Object.getPrototypeOf(req)).toBe(app.request)
  expect(Object.getPrototypeOf(res)).toBe(app.response)
})

it('creates responses that V8 keeps as fast objects, not as dictionaries', async () => {
  const kept: boolean[] = []
  const app = create().use((_req, res) => void res.on('finish', () => kept.push(isFast(res))).json({}))
  const url = await serving(createServer(app).listen(0, '127.0.0.1'))
  for (let round = 0; round < 20; round++) await fetch(url)
  expect(kept.slice(10)).not.toContain(false)
})

it('leaves a plain Express app unchanged', async () => {
  const url = await serving(createServer(hello()).listen(0, '127.0.0.1'))
  expect(await (await fetch(url)).text()).toBe('hello')
})

it('leaves an app its own methods below another one', async () => {
  const inner = create()
  inner.get('/', (req, res) => void res.json([req.app === inner, req.query]))
  const outer = express().use('/inner', inner)
  const answer = await fetch(`${await serving(outer)}/inner?a=1`)
  expect(await answer.json()).toEqual([true, { a: '1' }])
})
