import { createRequire } from 'node:module'
import type { Express, RequestHandler } from 'express'
import { describe, expect, it, vi } from 'vitest'
import { create } from '../../../src/app/server/app.ts'
import { serving } from '../../support/http/serving.ts'

// Express 4 would tell us at each call that we should not.
vi.stubEnv('NO_DEPRECATION', 'express')
const requireHere = createRequire(import.meta.url)
const express4: () => Express = createRequire(requireHere.resolve('json-server'))('express')

/** A call as old middleware makes it, which the types of Express 5 do not know. */
const call = (name: string, ...args: readonly unknown[]): RequestHandler => {
  return (_req, res) => void Reflect.apply(Reflect.get(res, name), res, [...args])
}

const param = (...args: readonly unknown[]): RequestHandler => {
  return (req, res) => void res.json({ found: Reflect.apply(Reflect.get(req, 'param'), req, [...args]) })
}

describe('what old middleware says', () => {
  it.each<[string, RequestHandler]>([
    ['res.send(401)', call('send', 401)],
    ['res.send(204)', call('send', 204)],
    ['res.send(401, text)', call('send', 401, 'no')],
    ['res.send(400, object)', call('send', 400, { error: 'no' })],
    ['res.send(object, 400)', call('send', { error: 'no' }, 400)],
    ['res.send(text)', call('send', 'yes')],
    ['res.send(object)', call('send', { yes: 1 })],
    ['res.send()', call('send')],
    ['res.sendStatus(403)', call('sendStatus', 403)],
    ['res.json(404, object)', call('json', 404, { error: 'no' })],
    ['res.json(object, 404)', call('json', { error: 'no' }, 404)],
    ['res.json(object)', call('json', [1])],
    ['res.json(5)', call('json', 5)],
    ['res.jsonp(409, object)', call('jsonp', 409, { error: 'no' })],
    ['res.jsonp(null)', call('jsonp', null)],
    ['req.param() of the path', param('id')],
    ['req.param() of the query', param('q')],
    ['req.param() of nothing', param('nothing')],
    ['req.param() of nothing, with a value to fall back on', param('nothing', 'else')],
  ])('means what it meant in Express 4: %s', async (_, handler) => {
    const [old, ours] = await Promise.all(
      [express4().set('json spaces', 2), create()].map((app) => ask(app, handler)),
    )
    expect(ours).toEqual(old)
  })
})

async function ask(app: Express, handler: RequestHandler): Promise<unknown> {
  app.get('/:id', handler)
  const response = await fetch(`${await serving(app)}/7?q=word`)
  const type = response.headers.get('content-type')?.toLowerCase()
  return { status: response.status, type, body: await response.text() }
}
