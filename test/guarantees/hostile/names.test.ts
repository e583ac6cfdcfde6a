import { beforeAll, describe, expect, it } from 'vitest'
import { saved, serveHome } from '../../support/child/real-server.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'

/** Names that mean something to JavaScript, and nothing to us. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  'then',
] as const

/** Reports prototype pollution. */
const WITNESS = `module.exports = (req, res, next) => {
  const strangers = []
  for (const key in {}) strangers.push(key)
  if (strangers.length || ({}).polluted !== undefined || typeof Object.prototype.toString !== 'function') {
    return res.status(599).end('polluted')
  }
  next()
}`

const DATA = JSON.parse(`{
  "items": [{ "id": 1, "name": "a", "owner_id": 1 }],
  "owners": [{ "id": 1 }],
  "__proto__": [{ "id": 1, "name": "in a collection called __proto__" }],
  "constructor": { "name": "a singular" },
  "toString": [{ "id": "valueOf", "item_id": 1 }]
}`)

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA, {
    config: { middlewares: ['witness.cjs'], foreignKeySuffix: '_id' },
    files: { 'witness.cjs': WITNESS },
  })
})

describe.each(NAMES)('%s', (name) => {
  it('as a field is stored and comes back like any other', async () => {
    for (const value of ['1', '{"polluted":true}', '[1]', 'null', `{"${name}":{"polluted":1}}`]) {
      const sent = `{"${name}":${value},"kept":1}`
      const created = await victim.ask('POST', '/items', sent)
      expect(created.status).toBe(201)
      const { id } = JSON.parse(created.body)
      const whole = JSON.parse(sent.replace(/}$/, `,"id":${id}}`))
      expect(JSON.parse(created.body)).toEqual(whole)
      const path = `/items/${id}`
      expect(JSON.parse((await victim.ask('PUT', path, sent)).body)).toEqual(whole)
      expect(JSON.parse((await victim.ask('PATCH', path, sent)).body)).toEqual(whole)
      expect(JSON.parse((await victim.ask('GET', path)).body)).toEqual(whole)
      for (const query of [
        'q=z',
        `_sort=${name}`,
        `${name}=1`,
        `${name}_like=z`,
        `${name}_gte=1`,
        `${name}_gt=1&${name}:in=1`,
        `${name}.polluted=1`,
      ]) {
        expect((await victim.ask('GET', `/items?${query}`)).status).toBe(200)
      }
      const rows = (await saved(victim.home)).items
      expect(rows).toContainEqual(whole)
      expect((await victim.ask('DELETE', path)).status).toBe(200)
    }
    await expectAsBefore()
  })

  it('as a field inside a form is plain data too', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `${name}=x&${name}[polluted]=1&a[${name}]=2`
    const created = await victim.ask('POST', '/items', body, headers)
    expect(created.status).toBe(201)
    expect((await victim.ask('DELETE', `/items/${JSON.parse(created.body).id}`)).status).toBe(200)
    await expectAsBefore()
  })

  it('as a foreign key breaks nobody’s relations', async () => {
    const created = await victim.ask('POST', '/items', `{"owner_id":{"${name}":1}}`)
    const { id } = JSON.parse(created.body)
    for (const path of [
      '/owners?_embed=items',
      '/items?_expand=owner',
      '/owners/1/items',
      '/items?owner_id=1',
    ]) {
      expect((await victim.ask('GET', path)).status).toBe(200)
    }
    expect((await victim.ask('DELETE', `/items/${id}`)).status).toBe(200)
    await expectAsBefore()
  })

  it('in a query changes nothing', async () => {
    for (const query of [
      `${name}=1`,
      `${name}[polluted]=1`,
      `a[${name}][polluted]=1`,
      `constructor[${name}][polluted]=1`,
      `_embed=${name}`,
      `_expand=${name}`,
      `_sort=${name}&_order=${name}`,
      `_page=1&_limit=${name}`,
      `callback=${name}`,
    ]) {
      const { status } = await victim.ask('GET', `/items?${query}`)
      expect(status).toBe(200)
    }
    await expectAsBefore()
  })

  it('in a path is a name like any other: served when it is one, else 404', async () => {
    const isServed = Object.hasOwn(DATA, name)
    expect((await victim.ask('GET', `/${name}`)).status).toBe(isServed ? 200 : 404)
    for (const path of [`/items/${name}`, `/${name}/${name}/${name}/x`, `/items/1/${name}/${name}`]) {
      expect((await victim.ask('GET', path)).status).toBe(404)
    }
    expect((await victim.ask('POST', `/items/${name}`, {})).status).toBe(404)
    expect((await victim.ask('DELETE', `/items/${name}`)).status).toBe(404)
    await expectAsBefore()
  })
})

it('a collection with such a name can be written, and outlives a restart', async () => {
  const created = await victim.ask('POST', '/__proto__', { name: 'b' })
  expect([created.status, JSON.parse(created.body)]).toEqual([201, { name: 'b', id: 2 }])
  expect((await victim.ask('PATCH', '/constructor', { name: 'c' })).status).toBe(200)
  const again = await serveHome(victim.home)
  const rows = JSON.parse((await again.ask('GET', '/__proto__')).body)
  expect(rows).toHaveLength(2)
  expect(JSON.parse((await again.ask('GET', '/constructor')).body)).toEqual({ name: 'c' })
})

async function expectAsBefore(): Promise<void> {
  const { status, body } = await victim.ask('GET', '/db')
  expect([status, JSON.parse(body)]).toEqual([200, DATA])
}
