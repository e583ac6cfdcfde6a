import { describe, expect, it } from 'vitest'
import { type Kept, type Shop, serveShop } from '../../support/http/shop.ts'

interface Told {
  readonly lines: string[]
}

async function serveTelling(
  kept: Kept,
  options: object = {},
  data?: Record<string, unknown>,
): Promise<Shop & Told> {
  const lines: string[] = []
  const print = (line: string) => {
    if (/had no effect|matched nothing|is not a resource/.test(line)) lines.push(line)
  }
  const served = await serveShop(kept, { print, ...options }, data)
  return { ...served, lines }
}

describe.each<Kept>(['a file', 'a live object'])('what has no effect on %s', (kept) => {
  it.each<[string, string]>([
    [
      '/products?price_gtt=5',
      '/products: price_gtt had no effect: no item has such a field. Did you mean price_gt?',
    ],
    ['/products?pirce=5', '/products: pirce had no effect: no item has such a field. Did you mean price?'],
    [
      '/products?prcie_gt=5',
      '/products: prcie_gt had no effect: no item has such a field. Did you mean price_gt?',
    ],
    [
      '/products?pirce:gt=5',
      '/products: pirce:gt had no effect: no item has such a field. Did you mean price:gt?',
    ],
    [
      '/products?companyId=1',
      '/products: companyId had no effect: no item has such a field. Did you mean company_id?',
    ],
    ['/products?sort=name', '/products: sort had no effect: no item has such a field. Did you mean _sort?'],
    ['/products?_limt=1', '/products: _limt had no effect: no item has such a field. Did you mean _limit?'],
    ['/products?zzz=1', '/products: zzz had no effect: no item has such a field.'],
    [
      '/products?pirce_gte=5',
      '/products: pirce_gte matched nothing: no item has such a field. Did you mean price_gte?',
    ],
    [
      '/products?price_between=1',
      '/products: price_between had no effect: its value cannot be read. Did you mean price_between=10,20?',
    ],
    [
      '/products?_per_page=1&_limit=1',
      '/products: _per_page had no effect: another parameter takes precedence. Did you mean _per_page without _limit?',
    ],
    [
      '/companies?head.ctiy=x',
      '/companies: head.ctiy had no effect: no item has such a field. Did you mean head.city?',
    ],
    [
      '/companies/1/products?pirce=5',
      '/products: pirce had no effect: no item has such a field. Did you mean price?',
    ],
    ['/products/1?pirce=5', '/products: pirce had no effect: no item has such a field. Did you mean price?'],
    [
      '/companies/1/products/1?pirce=5',
      '/products: pirce had no effect: no item has such a field. Did you mean price?',
    ],
    ['/product', '/product is not a resource. Did you mean /products?'],
    ['/company/1', '/company is not a resource. Did you mean /companies?'],
    ['/companies/1/prodcts', '/prodcts is not a resource. Did you mean /products?'],
    ['/profil', '/profil is not a resource. Did you mean /profile?'],
  ])('is said of %s, once', async (path, line) => {
    const { ask, lines } = await serveTelling(kept)
    await ask('GET', path)
    await ask('GET', path)
    await ask('HEAD', path)
    expect(lines).toEqual([line])
  })

  it.each([
    ...[
      '/products',
      '/products/1',
      '/products?price=5',
      '/products?price_gt=5&_sort=price&_limit=1',
      '/db?x=1',
    ],
    ...[
      '/products?id=1',
      '/products?ids=1',
      '/products?_=1&callback=f',
      '/products?id_ne=77',
      '/products?q=nothing',
    ],
    ...[
      '/products?_delay=0&_status=1',
      '/products?_fields=id&_omit=name',
      '/products?_upsert=1&_all=1&_dependent=x',
    ],
    ...[
      '/products?price_gte=999',
      '/products/1?name=x&price_gt=5&_embed=reviews',
      '/products/1?embed=["reviews"]',
    ],
    ...['/products?_expand=company&company.name_like=zzz', '/products?_expand=company&company.name=zzz'],
    ...[
      '/products?filter={"price":5}&range=[0,1]&sort=["name","ASC"]',
      '/products?_perPage=1&_sortField=name&_sortDir=ASC',
    ],
    ...[
      '/products?_where={"price":5}&_per_page=1&_page=1',
      '/products?_strict=true',
      '/profile?x=1',
      '/empty?x=1',
      '/empty/1?x=1',
    ],
    ...['/nothing-alike', '/products/77', '/', '/empty?x_gte=1'],
  ])('is not said of %s', async (path) => {
    const data = { ...SHOP, empty: [] }
    const { ask, lines } = await serveTelling(kept, {}, data)
    await ask('GET', encodeURI(path))
    expect(lines).toEqual([])
  })

  it('is said of a write to a path that is nearly a resource', async () => {
    const { ask, lines } = await serveTelling(kept)
    expect((await ask('POST', '/product', {})).status).toBe(404)
    expect(lines).toEqual(['/product is not a resource. Did you mean /products?'])
  })

  it('is not said when quiet', async () => {
    const { ask, lines } = await serveTelling(kept, { quiet: true })
    await ask('GET', '/products?price_gtt=5')
    expect(lines).toEqual([])
  })

  it('is said of 1,000 names at most', async () => {
    const { ask, lines } = await serveTelling(kept)
    for (let some = 0; some < 15; some++) {
      const names = Array.from({ length: 90 }, (_, at) => `x${some}y${at}=1`)
      await ask('GET', `/products?${names.join('&')}`)
    }
    expect(lines).toHaveLength(1000)
  })

  it.each<[string, string, RegExp]>([
    ['a value', 'pirce=hunter2', /hunter2/],
    ['a secret in a name', 'token%3Dhunter2', /hunter2/],
    ['a signed token as a name', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc=1', /eyJhbGci/],
    ['control characters', '%0Apirce%1B[31m=1', /\p{Cc}/u],
    ['a long name', `${'x'.repeat(5000)}=1`, /x{100}/],
  ])('never shows %s', async (_, query, leak) => {
    const { ask, lines } = await serveTelling(kept)
    await ask('GET', `/products?${query}`)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(leak)
  })

  it('costs little, however many names are made up', async () => {
    const { ask } = await serveTelling(kept)
    const names = Array.from({ length: 1200 }, (_, at) => `pric${at}=1`).join('&')
    const answer = await ask('GET', `/products?${names}`, undefined, { prefer: 'handling=strict' })
    expect(answer.status).toBe(400)
    expect(answer.body.length).toBeLessThan(3000)
  })
})

const SHOP = {
  companies: [{ id: 1, name: 'Acme' }],
  products: [{ id: 1, name: 'Desk', price: 5, company_id: 1 }],
  reviews: [{ id: 1, product_id: 1 }],
  profile: { name: 'Shop' },
}
