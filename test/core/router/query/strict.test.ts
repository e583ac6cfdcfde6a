import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { create, router } from '../../../../src/index.ts'
import { folderOf } from '../../../support/folder.ts'
import { serving } from '../../../support/http/serving.ts'
import { type Kept, serveShop } from '../../../support/http/shop.ts'

const STRICT = { prefer: 'handling=strict' }
const LENIENT = { prefer: 'handling=lenient' }
const MESSAGE = 'price_gtt had no effect: no item has such a field. Did you mean price_gt?'

describe.each<Kept>(['a file'])('strict reads of %s', (kept) => {
  it.each([
    '/products?price_gtt=5',
    '/products/1?price_gtt=5',
    '/companies/1/products?price_gtt=5',
    '/companies/1/products/1?price_gtt=5',
    '/products?price_gtt=5&_expand=company&company.name=Acme',
    '/products?price_gtt=5&name_like=^[^x]',
  ])('refuse what has no effect: %s', async (path) => {
    const { ask } = await serveShop(kept)
    const plain = await ask('GET', path)
    const refused = [
      await ask('GET', path, undefined, STRICT),
      await ask('GET', `${path}&_strict=true`),
      await ask('GET', `${path}&_strict=true`),
      await ask('GET', `${path}&_strict=true`, undefined, LENIENT),
    ]
    expect(plain.status).toBe(200)
    for (const { status, body } of refused) {
      expect(status).toBe(400)
      expect(JSON.parse(body)).toEqual({ error: 'Bad request', message: MESSAGE, code: 'INVALID_QUERY' })
    }
    const [byHeader, byUrl] = refused
    expect(byHeader?.headers['preference-applied']).toBe('handling=strict')
    expect(byHeader?.headers.vary).toMatch(/\bPrefer\b/)
    expect(byUrl?.headers).not.toHaveProperty('preference-applied')
    // What was answered before and after does not mix.
    expect((await ask('GET', path)).body).toBe(plain.body)
    expect((await ask('GET', path, undefined, LENIENT)).body).toBe(plain.body)
  })

  it.each([
    '/products?_sort=prcie',
    '/products?_order=up&_sort=price',
    '/products?_limit=ten',
    '/products?price[gte]=5',
    '/companies?_embed=prodcts',
    '/companies/1?_embed=prodcts',
    '/products?_fields=nmae',
    '/products/1?_fields=nmae',
  ])('refuse a word whose value names nothing: %s', async (path) => {
    const { ask } = await serveShop(kept)
    const { status } = await ask('GET', path)
    expect([status, (await ask('GET', path, undefined, STRICT)).status]).toEqual([200, 400])
    expect((await ask('GET', `${path}&_explain=true`)).status).toBe(200)
  })

  it('follow what other collections make of a relation', async () => {
    const { ask } = await serveShop(kept, {}, { companies: [{ id: 1 }], notes: [{ id: 1 }] })
    const statuses = async () => [
      (await ask('GET', '/companies?_embed=notes&_strict=true')).status,
      (await ask('GET', '/companies/1?_embed=notes&_strict=true')).status,
    ]
    expect(await statuses()).toEqual([400, 400])
    await ask('POST', '/companies/1/notes', {})
    expect(await statuses()).toEqual([200, 200])
  })

  it('go by the URL first, then by the header, then by the config', async () => {
    const { ask } = await serveShop(kept, { strict: true })
    const path = '/products?price_gtt=5'
    expect((await ask('GET', `${path}&_strict=false`, undefined, STRICT)).status).toBe(200)
    expect((await ask('GET', `${path}&_strict=true`, undefined, LENIENT)).status).toBe(400)
    expect((await ask('GET', `${path}&_strict=maybe`, undefined, LENIENT)).status).toBe(200)
    expect((await ask('GET', `${path}&_strict=maybe`)).status).toBe(400)
  })

  it('are the rule with strict: true, unless the client prefers otherwise', async () => {
    const { ask } = await serveShop(kept, { strict: true })
    const path = '/products?price_gtt=5'
    expect((await ask('GET', path)).status).toBe(400)
    const lenient = await ask('GET', path, undefined, LENIENT)
    expect(lenient.status).toBe(200)
    expect(lenient.headers['preference-applied']).toBe('handling=lenient')
    expect(lenient.headers.vary).toMatch(/\bPrefer\b/)
    expect((await ask('GET', path)).status).toBe(400)
    expect((await ask('GET', `${path}&_strict=false`)).status).toBe(200)
    expect((await ask('GET', path, undefined, { prefer: 'handling=any' })).status).toBe(400)
    expect((await ask('GET', '/products?price_gt=5')).status).toBe(200)
  })

  it.each(['/products', '/products/1', '/products?price_gt=1'])(
    'answer %s as ever, and say that they were strict',
    async (path) => {
      const { ask } = await serveShop(kept)
      const plain = await ask('GET', path)
      const strict = await ask('GET', path, undefined, { ...STRICT, origin: 'http://page.test' })
      expect([strict.status, strict.body]).toEqual([200, plain.body])
      expect(strict.headers['preference-applied']).toBe('handling=strict')
      expect(strict.headers['access-control-expose-headers']).toContain('Preference-Applied')
      const after = await ask('GET', path)
      expect(after.headers).not.toHaveProperty('preference-applied')
      expect(after.headers.vary ?? '').not.toMatch(/Prefer/)
    },
  )

  it.each(['/products?_=1', '/products/1?_=1', '/products?price_gt=1&_=1'])(
    "answer jQuery's cache buster as ever: %s",
    async (path) => {
      const { ask } = await serveShop(kept, { strict: true })
      expect((await ask('GET', path)).status).toBe(200)
      expect((await ask('GET', `${path}&_strict=true`)).status).toBe(200)
      const { status, headers } = await ask('GET', path, undefined, STRICT)
      expect([status, headers['preference-applied']]).toEqual([200, 'handling=strict'])
    },
  )

  it.each([
    '/profile',
    '/profile?x=1',
    '/db',
    '/db?x=1',
    '/products?prise=1&_explain=true',
    '/products/99?prise=1',
  ])('do not claim to be strict where no parameter is judged: %s', async (path) => {
    const { ask } = await serveShop(kept)
    const plain = await ask('GET', path)
    for (const wish of [STRICT, LENIENT]) {
      const answer = await ask('GET', path, undefined, wish)
      expect(answer.status).toBe(plain.status)
      expect(answer.headers).not.toHaveProperty('preference-applied')
    }
  })

  it('know a field of that name first', async () => {
    const data = { things: [{ id: 1, _strict: 'true' }, { id: 2 }], bare: [{ id: 1 }], none: [] }
    const { ask } = await serveShop(kept, {}, data)
    expect(JSON.parse((await ask('GET', '/things?_strict=true&nope=1')).body)).toEqual([data.things[0]])
    expect((await ask('GET', '/bare?_strict=true&nope=1')).status).toBe(400)
    expect((await ask('GET', '/none?_strict=true&nope=1')).status).toBe(200)
  })

  it('take back what a new row makes known', async () => {
    const { ask } = await serveShop(kept)
    expect((await ask('GET', '/products/1?_strict=true&color=red')).status).toBe(400)
    expect((await ask('GET', '/products?_strict=true&color=red')).status).toBe(400)
    await ask('POST', '/products', { color: 'red' })
    expect((await ask('GET', '/products/1?_strict=true&color=red')).status).toBe(200)
    expect((await ask('GET', '/products?_strict=true&color=red')).status).toBe(200)
  })
})

it('is an option of router()', async () => {
  const said: string[] = []
  const data = { products: [{ id: 1, price: 5 }] }
  const app = create()
  app.use('/strict', router(data, { strict: true }))
  app.use('/lenient', router(data, { log: (line) => said.push(line) }))
  const url = await serving(app)
  expect((await fetch(`${url}/strict/products?prise=5`)).status).toBe(400)
  expect((await fetch(`${url}/lenient/products?prise=5`)).status).toBe(200)
  expect((await fetch(`${url}/lenient/products?prise=5&_strict=true`)).status).toBe(400)
  expect((await fetch(`${url}/lenient/products?prise=5`)).status).toBe(200)
  expect(said).toEqual(['/products: prise had no effect: no item has such a field. Did you mean price?'])
})

it('does not mix with other answers where a middleware may have edited the query', async () => {
  const home = folderOf({ 'db.json': { products: [{ id: 1, price: 5 }] } })
  const app = create()
  app.use((req, _res, next) => {
    Object.defineProperty(req, 'query', { value: { ...req.query }, writable: true })
    next()
  })
  app.use(router(join(home, 'db.json'), { log: () => {} }))
  const url = await serving(app)
  const statuses: number[] = []
  for (const more of ['', '&_strict=true', '&_strict=false', '&_strict=true', '']) {
    statuses.push((await fetch(`${url}/products?prise=5${more}`)).status)
  }
  expect(statuses).toEqual([200, 400, 200, 400, 200])
})

it('may be said of a filtered write, which is strict anyway', async () => {
  const { ask } = await serveShop('a file')
  expect((await ask('DELETE', '/products?price_gtt=5&_strict=false')).status).toBe(400)
  expect((await ask('DELETE', '/products?_strict=true')).status).toBe(400)
  expect((await ask('DELETE', '/products?price_gt=5&_strict=true')).headers['x-total-count']).toBe('2')
})
