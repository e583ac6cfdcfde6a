import { describe, expect, it } from 'vitest'
import { type Kept, type Shop, serveShop } from '../../../support/http/shop.ts'

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
    if (
      /had no effect|has a value|matched nothing|is not (a resource|possible)|compares whole lists|looks for the string/.test(
        line,
      )
    )
      lines.push(line)
  }
  const served = await serveShop(kept, { print, ...options }, data)
  return { ...served, lines }
}

describe.each<Kept>(['a file'])('what has no effect on %s', (kept) => {
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
      '/products?pirce:gte=5',
      '/products: pirce:gte matched nothing: no item has such a field. Did you mean price:gte?',
    ],
    [
      '/products/1?pirce:gte=5',
      '/products: pirce:gte matched nothing: no item has such a field. Did you mean price:gte?',
    ],
    [
      '/products?price_between=1',
      '/products: price_between has a value that cannot be read. Did you mean price_between=10,20?',
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
    [
      '/products?_sort=-name,prcie',
      '/products: _sort=prcie had no effect: no item has such a field. Did you mean _sort=price?',
    ],
    [
      '/products?_sort=-prcie&price=99',
      '/products: _sort=prcie had no effect: no item has such a field. Did you mean _sort=price?',
    ],
    [
      '/products?sort=["prcie","ASC"]',
      '/products: _sort=prcie had no effect: no item has such a field. Did you mean _sort=price?',
    ],
    [
      '/products?_sortField=prcie',
      '/products: _sort=prcie had no effect: no item has such a field. Did you mean _sort=price?',
    ],
    [
      '/products?_expand=company&_sort=company.nmae',
      '/products: _sort=company.nmae had no effect: no item has such a field.',
    ],
    [
      '/products?_sort=price&_order=descending',
      '/products: _order has a value that cannot be read. Did you mean _order=desc?',
    ],
    ['/products?_order=desc', '/products: _order had no effect on its own. Did you mean _order with _sort?'],
    [
      '/products?_sortDir=DESC',
      '/products: _sortDir had no effect on its own. Did you mean _sortDir with _sortField?',
    ],
    ['/products?_limit=ten', '/products: _limit has a value that cannot be read. Did you mean _limit=10?'],
    ['/products?_page=first', '/products: _page has a value that cannot be read. Did you mean _page=1?'],
    ['/products?_sort[name]=asc', '/products: _sort has a value that cannot be read.'],
    ['/products?_where[price]=5', '/products: _where has a value that cannot be read.'],
    [
      '/products?price[gte]=5',
      '/products: price[gte] matched nothing: no item has such a field. Did you mean price_gte?',
    ],
    ['/products?cost[gte]=5', '/products: cost had no effect: no item has such a field.'],
    [
      '/companies?_embed=prodcts',
      '/companies: _embed=prodcts had no effect: there is no such relation. Did you mean _embed=products?',
    ],
    [
      '/companies?embed=["prodcts"]',
      '/companies: _embed=prodcts had no effect: there is no such relation. Did you mean _embed=products?',
    ],
    [
      '/companies/1?_embed=prodcts',
      '/companies: _embed=prodcts had no effect: there is no such relation. Did you mean _embed=products?',
    ],
    [
      '/companies?_expand=products',
      '/companies: _expand=products had no effect: there is no such relation. Did you mean _embed=products?',
    ],
    [
      '/products?_expand=companies',
      '/products: _expand=companies had no effect: there is no such relation. Did you mean _expand=company?',
    ],
    [
      '/companies/1/products/1?_expand=compnay',
      '/products: _expand=compnay had no effect: there is no such relation. Did you mean _expand=company?',
    ],
    [
      '/reviews?_expand=product.compnay',
      '/reviews: _expand=product.compnay had no effect: there is no such relation.',
    ],
    ['/companies?_embed=reviews', '/companies: _embed=reviews had no effect: there is no such relation.'],
    [
      '/products?_fields=id,nmae',
      '/products: _fields=nmae had no effect: no item has such a field. Did you mean _fields=name?',
    ],
    [
      '/products/1?_omit=prise',
      '/products: _omit=prise had no effect: no item has such a field. Did you mean _omit=price?',
    ],
    [
      '/products?company.name=Acme',
      '/products: company.name had no effect: no item has such a field. Did you mean company.name with _expand=company?',
    ],
    ['/products?filter={"q":["x"]}', '/products: q has a value that cannot be read.'],
    ['/products?_strict=1', '/products: _strict has a value that cannot be read. Did you mean _strict=true?'],
    [
      '/products/1?_explain=yes',
      '/products: _explain has a value that cannot be read. Did you mean _explain=true?',
    ],
    ['/compnies/1/products', '/compnies is not a resource. Did you mean /companies?'],
    ['/product', '/product is not a resource. Did you mean /products?'],
    ['/company/1', '/company is not a resource. Did you mean /companies?'],
    ['/companies/1/prodcts', '/prodcts is not a resource. Did you mean /products?'],
    ['/profil', '/profil is not a resource. Did you mean /profile?'],
    ['/api/products', '/api/products is not a resource. Did you mean /products?'],
    ['/api/v1/products', '/api/v1/products is not a resource. Did you mean /products?'],
    ['/api/v1/products/1', '/api/v1/products is not a resource. Did you mean /products?'],
    ['/shop/rest/v2/products', '/shop/rest/v2/products is not a resource. Did you mean /products?'],
    ['//products/1', '//products is not a resource. Did you mean /products?'],
  ])('is said of %s, once', async (path, line) => {
    const { ask, lines } = await serveTelling(kept)
    for (const method of ['GET', 'GET', 'HEAD']) await ask(method, encodeURI(path))
    expect(lines).toEqual([line])
  })

  it.each<[string, string]>([
    ['/posts?tag_ids=2', 'tag_ids compares whole lists, not their entries. Did you mean tag_ids_in?'],
    ['/posts?tag_ids=3', 'tag_ids compares whole lists, not their entries. Did you mean tag_ids_in?'],
    ['/posts?tag_ids:eq=2', 'tag_ids:eq compares whole lists, not their entries. Did you mean tag_ids_in?'],
    ['/posts?tag_ids_ne=2', 'tag_ids_ne compares whole lists, not their entries. Did you mean tag_ids_nin?'],
    ['/posts?tag_ids=1&title=b', 'tag_ids compares whole lists, not their entries. Did you mean tag_ids_in?'],
    [
      '/agents/5/posts?tag_ids=1',
      'tag_ids compares whole lists, not their entries. Did you mean tag_ids_in?',
    ],
    [
      '/posts?filter={"tag_ids":2}',
      'tag_ids compares whole lists, not their entries. Did you mean tag_ids_in?',
    ],
    [
      '/posts?_where={"tag_ids":2}',
      '_where.tag_ids compares whole lists, not their entries. Did you mean {"tag_ids":{"in":[…]}}?',
    ],
    [
      '/posts?more.labels=a',
      'more.labels compares whole lists, not their entries. Did you mean more.labels_in?',
    ],
    ['/posts?agent_id=null', 'agent_id looks for the string "null". Did you mean agent_id_null=true?'],
    [
      '/posts?agent_id=undefined',
      'agent_id looks for the string "undefined". Did you mean agent_id_null=true?',
    ],
    [
      '/posts?agent_id=null&agent_id=5',
      'agent_id looks for the string "null". Did you mean agent_id_null=true?',
    ],
    [
      '/posts?agent_id_in=null,5',
      'agent_id_in looks for the string "null". Did you mean agent_id_null=true?',
    ],
    [
      '/posts?_where={"agent_id":"null"}',
      '_where.agent_id looks for the string "null". Did you mean {"agent_id":null}?',
    ],
    [
      '/posts?_expand=tags&tags.name=x',
      'tags.name had no effect: no item has such a field. Did you mean /tags?name=…&_embed=posts?',
    ],
    [
      '/posts?_embed=tags&tags.name_like=x',
      'tags.name_like matched nothing: no item has such a field. Did you mean /tags?name_like=…&_embed=posts?',
    ],
    [
      '/posts?tags.name:ne=x',
      'tags.name:ne matched nothing: no item has such a field. Did you mean /tags?name:ne=…&_embed=posts?',
    ],
    [
      '/posts?_embed=comments&comments.text=x',
      'comments.text had no effect: no item has such a field. Did you mean /comments?text=…&_expand=post?',
    ],
    ['/posts?_expand=agent&agent.nmae_like=x', 'agent.nmae_like matched nothing: no item has such a field.'],
  ])('is said of a trap, %s, and refused where the client is strict', async (path, line) => {
    const { ask, lines } = await serveTelling(kept, {}, TRAPS)
    const plain = await ask('GET', encodeURI(path))
    expect(lines).toEqual([`/posts: ${line}`])
    const strict = await ask('GET', encodeURI(path), undefined, { prefer: 'handling=strict' })
    expect([plain.status, strict.status, JSON.parse(strict.body).message]).toEqual([200, 400, line])
    const [name = ''] = line.split(' ', 1)
    const explained = JSON.parse((await ask('GET', `${encodeURI(path)}&_explain=true`)).body)
    if (!path.startsWith('/agents')) expect(explained.ignored).toMatchObject([{ name }])
  })

  it.each([
    '/posts?tag_ids_in=2',
    '/posts?tag_ids_contains=2',
    '/posts?tag_ids=1,2',
    '/posts?agent_id_null=true',
    '/posts?agent_id_ne=null',
    '/posts?title=null',
    '/posts?title=zzz',
    '/posts?marks=a',
    '/posts/1?tag_ids=2&agent_id=null',
    '/tags?name=x&_embed=posts',
    '/comments?text=x&_expand=post',
    '/posts?_expand=agent&agent.name=x',
  ])('is not said of %s, which is no trap', async (path) => {
    const { ask, lines } = await serveTelling(kept, {}, TRAPS)
    await ask('GET', encodeURI(path))
    expect(lines).toEqual([])
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
    ...[
      '/products?_sort=id',
      '/products?_sort=-price,name&_order=asc,desc',
      '/products?_sort=price&_order=DESC',
    ],
    ...['/products?_expand=company&_sort=company.name', '/products?_embed=company&_sort=-company.name'],
    ...[
      '/reviews?_expand=product.company&_sort=product.company.name',
      '/empty?_sort=x&_fields=x&_embed=products',
    ],
    ...[
      '/companies?_embed=products.reviews',
      '/reviews/1?_expand=product.company',
      '/companies?_embed=empty',
    ],
    ...[
      '/companies?_embed=products&_fields=products.name,name',
      '/products?_fields=id&_omit=price,company_id',
    ],
    ...['/posts?_embed=tags', '/tags?_embed=posts', '/posts?_expand=tags', '/posts/1?_embed=tags'],
    ...[
      '/products?_page=&_limit=&_order=',
      '/products?_limit=0',
      '/companies/77/products',
      '/brands/77/products',
      '/share/secret-token/products/1',
    ],
    ...[
      '/products?_strict=false',
      '/products?_explain=false',
      '/products?_explain',
      '/words?_fields=x&_sort=-id',
      '/bare?_sort=id&_fields=id&_omit=id',
    ],
  ])('is not said of %s', async (path) => {
    const data = { ...SHOP, empty: [], words: [{ id: 1, _fields: 'x', '-id': 1 }], bare: [{ a: 1 }] }
    const { ask, lines } = await serveTelling(kept, {}, data)
    await ask('GET', encodeURI(path))
    expect(lines).toEqual([])
  })

  it('is said of a write to a path that is nearly a resource', async () => {
    const { ask, lines } = await serveTelling(kept)
    expect((await ask('POST', '/product', {})).status).toBe(404)
    expect(lines).toEqual(['/product is not a resource. Did you mean /products?'])
  })

  it.each([
    ['PUT', '/products', 'PUT /products is not possible. Did you mean PUT /products/:id?'],
    ['PUT', '/products?_upsert=1', 'PUT /products is not possible. Did you mean PUT /products/:id?'],
    ['POST', '/products/1', 'POST /products/:id is not possible. Did you mean POST /products?'],
  ])('is said of %s %s', async (method, path, line) => {
    const { ask, lines } = await serveTelling(kept)
    expect((await ask(method, path, {})).status).toBe(404)
    expect(lines).toEqual([line])
  })

  it('is said of a PUT that would have created, had it been asked so', async () => {
    const { ask, lines } = await serveTelling(kept)
    for (const query of ['', '?_upsert=false', '?_upsert=1', '?_upsert=yes']) {
      expect((await ask('PUT', `/products/99${query}`, {})).status).toBe(404)
    }
    expect(lines).toEqual(['/products: _upsert has a value that cannot be read. Did you mean _upsert=true?'])
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

const TRAPS = {
  posts: [
    { id: 1, title: 'a', tag_ids: [1, 2], agent_id: null, marks: ['a'] },
    { id: 2, title: 'b', tag_ids: [3], agent_id: 5, more: { labels: ['a', 'b'] } },
    { id: 3, title: 'null', tag_ids: [2, 3], agent_id: 5 },
  ],
  tags: [
    { id: 1, name: 'x' },
    { id: 2, name: 'y' },
    { id: 3, name: 'z' },
  ],
  agents: [{ id: 5, name: 'n' }],
  comments: [{ id: 1, post_id: 1, text: 't' }],
}

const SHOP = {
  companies: [{ id: 1, name: 'Acme' }],
  products: [{ id: 1, name: 'Desk', price: 5, company_id: 1 }],
  reviews: [{ id: 1, product_id: 1 }],
  posts: [{ id: 1, tag_ids: [1] }, { id: 2 }],
  tags: [{ id: 1 }],
  profile: { name: 'Shop' },
}
