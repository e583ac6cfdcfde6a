import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { exchange } from '../../support/http/exchange.ts'

const DATA = { items: [{ id: 1, name: 'a' }], profile: { name: 'p' } }

/** This many levels in total. */
const lists = (levels: number) => `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const TYPES = [
  'application/json',
  'application/vnd.api+json',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
]
const DEPTHS = [101, 3000, 100_000]
const ROWS = TYPES.flatMap((type) => DEPTHS.map((depth) => ({ type, depth })))

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA)
})

it.each(ROWS)('$depth levels as "$type" are refused, and later reads work', async ({ type, depth }) => {
  const headers = { 'content-type': type }
  for (const [method, path] of [
    ['POST', '/items'],
    ['PUT', '/items/1'],
    ['PATCH', '/profile'],
  ] as const) {
    for (const body of [lists(depth), objects(depth)]) {
      const answer = await victim.ask(method, path, body, headers)
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'INVALID_BODY'])
    }
  }
  expect(
    (await victim.ask('POST', '/items', `${'['.repeat(depth)}${']'.repeat(depth)}`, headers)).status,
  ).toBe(400)
  await victim.expectUnharmed()
})

it('nesting that never ends in a query or a field’s name is no more than text', async () => {
  for (const query of [
    `a${'[b]'.repeat(4000)}=1`,
    `${'a.'.repeat(7000)}b=1`,
    `a${'['.repeat(9000)}=1`,
    `${'[]'.repeat(4000)}=1`,
  ]) {
    expect((await victim.ask('GET', `/items?${query}`)).status).toBe(200)
  }
  await victim.expectUnharmed()
})

it('100 levels are stored, and come back', async () => {
  const created = await victim.ask('POST', '/items', objects(100))
  expect(created.status).toBe(201)
  const { id, ...sent } = JSON.parse(created.body)
  expect(sent).toEqual(JSON.parse(objects(100)))
  for (const path of [
    '/items',
    '/db',
    `/items/${id}`,
    '/items?q=x',
    '/items?a.a.a.a=1',
    '/items?a_like=x',
    '/items?a_contains=x&a_in=x&a_gt=x&a_nin=y',
    '/items?_sort=a',
  ]) {
    expect((await victim.ask('GET', path)).status).toBe(200)
  }
  expect((await victim.ask('DELETE', `/items/${id}`)).status).toBe(200)
})

describe('through a body parser that somebody else put in front', () => {
  let server: Server
  let port: number

  beforeAll(async () => {
    const app = create()
    app.use(express.json({ limit: '10mb' }), router(structuredClone(DATA)))
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })

  afterAll(() => server.close())

  it.each(DEPTHS)('%i levels are refused, and later reads work', async (depth) => {
    for (const [method, path] of [
      ['POST', '/items'],
      ['PUT', '/items/1'],
      ['PATCH', '/profile'],
    ] as const) {
      const ask = { method, path, headers: { 'content-type': 'application/json' } }
      expect((await exchange(port, { ...ask, body: lists(depth) })).status).toBe(400)
    }
    expect(JSON.parse((await exchange(port, { method: 'GET', path: '/db' })).body)).toEqual(DATA)
  })
})
