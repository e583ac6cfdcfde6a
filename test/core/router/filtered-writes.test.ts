import { describe, expect, it } from 'vitest'
import { JSON_PATCH, type Kept, MERGE_PATCH, serveShop } from '../../support/http/shop.ts'

describe.each<Kept>(['a file', 'a live object'])('many rows of %s', (kept) => {
  it('are changed together by a PATCH with a filter, and answered as they are then', async () => {
    const { ask, kept: read } = await serveShop(kept)
    const answer = await ask('PATCH', '/products?company_id=2', { price: 1, id: 77 })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-total-count']).toBe('2')
    expect(JSON.parse(answer.body)).toEqual([
      { id: 2, name: 'Lamp', price: 1, company_id: 2 },
      { id: 3, name: 'Sofa', price: 1, company_id: 2, note: 'a lamp is in it' },
    ])
    expect((await read()).products).toMatchObject([{ price: 5 }, { id: 2, price: 1 }, { id: 3, price: 1 }])
    expect(JSON.parse((await ask('GET', '/products?price=1')).body)).toHaveLength(2)
  })

  it.each([
    ['a field', 'company_id=2', [1]],
    ['several values', 'id=1&id=3', [2]],
    ['a range', 'price_gte=6&price_lte=15', [1, 3]],
    ['a pattern', 'name_like=^[DS]', [2]],
    ['a nested field of a list', 'tags=wood', [2, 3]],
    ['the full text', 'q=lamp', [1]],
    ['ids, as some clients name them', 'ids=1&ids=2', [3]],
    ['nothing that is there', 'price=99', [1, 2, 3]],
    ['everything, when that is said', '_all=true', []],
    ['a filter beside that', '_all=true&price=5', [2, 3]],
    ['with words that are no filters', 'price=5&_delay=1&_=123', [2, 3]],
  ])('go by %s', async (_what, filter, left) => {
    const { ask, kept: read } = await serveShop(kept)
    const answer = await ask('DELETE', `/products?${filter}`)
    expect([answer.status, answer.body]).toEqual([200, '{}'])
    expect(answer.headers['x-total-count']).toBe(String(3 - left.length))
    expect((await read()).products?.map((row) => Reflect.get(Object(row), 'id'))).toEqual(left)
  })

  it.each<[string, string]>([
    ['no filter', ''],
    ['no filter but a search for nothing', '?q='],
    ['a field that no row has', '?color=red'],
    ['one such field among others', '?company_id=2&color=red'],
    ['such a field beside the leave to take all', '?_all=true&color=red'],
    ['a nested field that no row has', '?tags.x=1'],
    ['an operator that does not exist', '?price_gtt=1'],
    ['an old operator on a field that no row has', '?color_ne=red'],
    ['a sort', '?price=5&_sort=name'],
    ['an order alone', '?price=5&_order=asc'],
    ['a page', '?price=5&_page=1'],
    ['an empty page', '?price=5&_page='],
    ['a limit', '?price=5&_limit=1'],
    ['a start', '?price=5&_start=0'],
    ['an end', '?price=5&_end=1'],
    ['relations', '?price=5&_expand=company'],
    ['children', '?price=5&_embed=reviews'],
    ['a value that cannot be read', '?price[a]=5'],
    ['an _all that is not true', '?_all=yes'],
    ['an _all that is not true, beside a filter', '?price=5&_all=false'],
    ['_upsert', '?price=5&_upsert=true'],
    ['the fields to show', '?price=5&_fields=id'],
    ['the fields to leave out', '?price=5&_omit=name'],
    ['an empty page of json-server 1.0', '?price=5&_per_page='],
    ['an empty page of ng-admin', '?price=5&_perPage='],
    ['an order of ng-admin alone', '?price=5&_sortDir=ASC'],
    ['an empty _where beside a filter', '?price=5&_where='],
    ['a _strict that is neither', '?price=5&_strict=yes'],
    ['_explain', '?price=5&_explain=true'],
    ['an empty pattern', '?name_like='],
    ['an empty text to contain', '?name_contains='],
    ['an empty text to start with, beside another', '?name_startsWith=D&name_startsWith='],
    ['an empty text to end with', '?name:endsWith='],
    ['an empty bound', '?price_gt='],
    ['an empty bound in the old spelling', '?price_lte='],
    ['nothing to leave out', '?id_nin='],
    ['an empty text in _where', `?_where=${encodeURIComponent('{"name":{"contains":""}}')}`],
    ['no id to leave out', '?id_ne='],
    ['no id to leave out, with a colon', '?id:ne='],
    ['no text to differ from', '?name_ne='],
    ['empty values to leave out', '?id_nin=,'],
    ['spaces to leave out', '?id_nin=%20'],
    ['a pattern that matches every text', '?name_like=.*'],
    ['another such pattern, for ids', '?id_like=.'],
    ['such a pattern of two', '?name_like=a|(b?)'],
    ['bounds that hold for every number', '?price_between=-Infinity,Infinity'],
    ['a lower bound that holds for every number', '?price_gt=-Infinity'],
    ['an upper bound that holds for every number', '?price:lte=1e999'],
    ['ids that are not null', '?id_null=false'],
    ['an empty search beside a filter', '?price=5&q='],
    ['an empty search of react-admin beside a filter', `?price=5&filter=${encodeURIComponent('{"q":""}')}`],
    ['an empty filter of react-admin beside a filter', '?price=5&filter={}'],
    ['an empty filter of ng-admin beside a filter', '?price=5&_filters={}'],
    ['an empty object in a filter', `?filter=${encodeURIComponent('{"price":5,"head":{}}')}`],
    ['no id to leave out, in a filter', `?filter=${encodeURIComponent('{"id_ne":""}')}`],
    ['a list of none to differ from, in a filter', `?filter=${encodeURIComponent('{"id_ne":[]}')}`],
    ...[
      '{"id":{"ne":""}}',
      '{"id":{"ne":null}}',
      '{"id":{"nin":[]}}',
      '{"id":{"nin":["",""]}}',
      '{"price":5,"id":{}}',
      '{"or":[{"id":1},{}]}',
      '{"or":[{"id":1},{"and":[]}]}',
      '{"or":[{"id":1},{"id":{"ne":1}}]}',
      '{"or":[{"id":1},{"name":"Desk"},{"not":{"id":1}}]}',
      '{"or":[{"price":{"gte":5}},{"price":{"lt":5}}]}',
      '{"or":[{"price":null},{"price":{"null":false}}]}',
      '{"not":{"id":""}}',
      '{"not":{"id":[]}}',
      '{"not":{"or":[]}}',
      '{"not":{"not":{}}}',
      '{"not":{"not":{"name":{"contains":""}}}}',
      '{"not":{"and":[{"id":1},{"id":2}]}}',
      '{"not":{"and":[{"name":"Desk"},{"or":[]}]}}',
      '{"not":{"price":{"gt":"Infinity"}}}',
      '{"and":[{"price":5},{"or":[{"name":"Desk"},{"name":{"startsWith":""}}]}]}',
    ].map((where): [string, string] => [where, `?_where=${encodeURIComponent(where)}`]),
    ['a search that is not a string', `?price=5&filter=${encodeURIComponent('{"q":{"x":1}}')}`],
    ['an entry of a list that is not a value', `?filter=${encodeURIComponent('{"price":[5,{"x":1}]}')}`],
  ])('stay as they are with %s', async (_what, query) => {
    const { ask, kept: read } = await serveShop(kept)
    const before = await read()
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await ask(method, `/products${query}`, { price: 0 })
      expect(answer.status, answer.body).toBe(400)
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'INVALID_QUERY', message: expect.any(String) })
    }
    expect(await read()).toEqual(before)
  })

  it('take their dependents with them, by one wish for all', async () => {
    const { ask, kept: read } = await serveShop(kept)
    const answer = await ask('DELETE', '/companies?name=Bolt&_dependent=products,reviews')
    expect(answer.headers['x-total-count']).toBe('1')
    const { companies, products, reviews } = await read()
    expect([companies?.length, products?.length, reviews?.length]).toEqual([1, 1, 0])
    expect((await ask('PATCH', '/companies?name=Acme&_dependent=products', {})).status).toBe(400)
    const wrong = await ask('DELETE', '/companies?name=Acme&_dependent=products,reveiws')
    expect([wrong.status, JSON.parse(wrong.body).message]).toEqual([400, expect.stringContaining('reveiws')])
    expect((await read()).companies).toHaveLength(1)
  })

  it('take all that depends on them where --cascade is on', async () => {
    const { ask, kept: read } = await serveShop(kept, { cascade: true })
    await ask('DELETE', '/companies?_all=true')
    expect(await read()).toMatchObject({ companies: [], products: [], reviews: [] })
  })

  it('are changed by merge patches, and by JSON Patches, all or none', async () => {
    const { ask, kept: read } = await serveShop(kept)
    const merged = await ask('PATCH', '/companies?_all=true', { head: { zip: null } }, MERGE_PATCH)
    expect(JSON.parse(merged.body)).toEqual([
      { id: 1, name: 'Acme', head: { city: 'Rome' } },
      { id: 2, name: 'Bolt', head: {} },
    ])
    const before = await read()
    const patch = [
      { op: 'test', path: '/price', value: 10 },
      { op: 'remove', path: '/price' },
    ]
    const failed = await ask('PATCH', '/products?company_id=2', patch, JSON_PATCH)
    expect([failed.status, JSON.parse(failed.body).code]).toEqual([409, 'PATCH_TEST_FAILED'])
    expect(await read()).toEqual(before)
    expect((await ask('PATCH', '/products?price=10', patch, JSON_PATCH)).status).toBe(200)
    expect((await read()).products?.[1]).toEqual({ id: 2, name: 'Lamp', company_id: 2 })
  })

  it('of a parent are changed under its path, with a filter of their own', async () => {
    const { ask, kept: read } = await serveShop(kept)
    expect((await ask('DELETE', '/companies/2/products')).status).toBe(400)
    expect(
      (await ask('PATCH', '/companies/2/products?price_lte=10', { sale: true })).headers['x-total-count'],
    ).toBe('1')
    expect((await ask('DELETE', '/companies/2/products?_all=true')).headers['x-total-count']).toBe('2')
    expect((await read()).products).toHaveLength(1)
    expect((await ask('DELETE', '/profile/2/products?_all=true')).status).toBe(404)
    expect((await ask('DELETE', '/nowhere/2/products?_all=true')).status).toBe(404)
  })

  it.each<[string, unknown, object]>([
    ['fields', { company_id: 1, sale: true }, {}],
    ['a merge patch', { company_id: null, sale: true }, MERGE_PATCH],
    [
      'a JSON Patch',
      [
        { op: 'replace', path: '/company_id', value: 1 },
        { op: 'add', path: '/sale', value: true },
      ],
      JSON_PATCH,
    ],
  ])('of a parent stay its own, whatever the body says: %s', async (_what, body, headers) => {
    const { ask, kept: read } = await serveShop(kept)
    const answer = await ask('PATCH', '/companies/2/products?_all=true', body, { ...headers })
    expect(JSON.parse(answer.body)).toMatchObject([
      { id: 2, company_id: 2, sale: true },
      { id: 3, company_id: 2, sale: true },
    ])
    expect((await read()).products).toMatchObject([{ company_id: 1 }, { company_id: 2 }, { company_id: 2 }])
  })

  it('are answered by no body, or by what they were, where the client would rather', async () => {
    const { ask } = await serveShop(kept)
    const minimal = await ask('PATCH', '/products?price=5', { price: 6 }, { prefer: 'return=minimal' })
    expect([minimal.status, minimal.body, minimal.headers['x-total-count']]).toEqual([204, '', '1'])
    const removed = await ask('DELETE', '/products?price=6', undefined, { prefer: 'return=representation' })
    expect(JSON.parse(removed.body)).toEqual([
      { id: 1, name: 'Desk', price: 6, company_id: 1, tags: ['wood'] },
    ])
  })

  it('can be changed by a client that knows only POST', async () => {
    const { ask, kept: read } = await serveShop(kept)
    await ask('POST', '/products?price=5', {}, { 'x-http-method-override': 'DELETE' })
    expect((await read()).products).toHaveLength(2)
  })

  it('stay where they are, and in no hands, when the server is for reading only', async () => {
    const { ask, kept: read } = await serveShop(kept, { readOnly: true })
    const before = await read()
    for (const method of ['PATCH', 'DELETE'])
      expect((await ask(method, '/products?_all=true')).status).toBe(403)
    expect(await read()).toEqual(before)
  })

  it('are found by patterns that take a read some time, too', async () => {
    const data = { items: [{ id: 1, title: 'abc' }] }
    const { ask } = await serveShop(kept, {}, data)
    const patterns = ['a', 'b', 'c', 'x'].map((letter) => `title_like=${letter}%7B1,200%7D`).join('&')
    for (const method of ['GET', 'PATCH'])
      expect(
        (await ask(method, `/items?${patterns}`, method === 'PATCH' ? { seen: true } : undefined)).status,
      ).toBe(200)
  })

  it('are not to be found by filters in a body that would make them too large', async () => {
    const data = { items: Array.from({ length: 100 }, (_, id) => ({ id: id + 1, kind: 'a' })) }
    const { ask } = await serveShop(kept, {}, data)
    const answer = await ask('PATCH', '/items?kind=a', { text: 'x'.repeat(1024 * 1024) })
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, 'BODY_TOO_LARGE'])
    expect(JSON.parse((await ask('GET', '/items/1')).body)).toEqual({ id: 1, kind: 'a' })
  })
})

describe('a refused change of many rows names the parameter', () => {
  const json = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`

  it.each<[string, string]>([
    ['price=5&_explain=true', '_explain means nothing where rows are changed'],
    ['_explain=true', '_explain means nothing where rows are changed'],
    [`price=5&${json('sort', ['name', 'ASC'])}`, 'sort means nothing where rows are changed'],
    [`price=5&${json('range', [0, 9])}`, 'range means nothing where rows are changed'],
    [`price=5&${json('embed', ['company'])}`, 'embed means nothing where rows are changed'],
    [`price=5&_sort=name&${json('sort', ['name', 'ASC'])}`, '_sort means nothing where rows are changed'],
    ['price=5&_page=1', '_page means nothing where rows are changed'],
    ['price=5&_perPage=1', '_perPage means nothing where rows are changed'],
    ['price=5&_sortField=name', '_sortField means nothing where rows are changed'],
    ['price=5&_fields=id', '_fields means nothing where rows are changed'],
    ['price=5&_upsert=true', '_upsert means nothing where rows are changed'],
    ['price=5&_all=false', '_all can only be true'],
    ['id_ne=', 'id_ne excludes no item'],
    ['id:ne=', 'id:ne excludes no item'],
    ['price_gt=', 'price_gt excludes no item'],
    ['name:startsWith=', 'name:startsWith excludes no item'],
    ['price=5&q=', 'q is empty'],
    ['price=5&filter={}', 'filter is empty'],
    [json('filter', { id_ne: '' }), 'id_ne excludes no item'],
    [json('_where', { id: { ne: '' } }), '_where.id.ne excludes no item'],
    [json('_where', { or: [{ id: 1 }, {}] }), 'An empty part of _where excludes no item'],
    [
      json('_where', { or: [{ id: 1 }, { not: { id: 1 } }] }),
      'The part of _where with _where.or[0].id excludes no item',
    ],
    ['color:gte=5', 'No item has the field color'],
    ['price_between=1', 'The value "1" of price_between cannot be read'],
  ])('%s: %s', async (query, message) => {
    const { ask } = await serveShop('a file')
    const answer = await ask('DELETE', `/products?${query}`)
    expect([answer.status, JSON.parse(answer.body).message]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('a change by what is hardly meant', () => {
  it.each<[string, string]>([
    ['tag_ids=2', 'tag_ids compares whole lists, not their entries; send tag_ids_in instead.'],
    ['tag_ids_ne=2', 'tag_ids_ne compares whole lists, not their entries; send tag_ids_nin instead.'],
    ['agent_id=null', 'agent_id looks for the string "null"; send agent_id_null=true instead.'],
    ['agent_id=undefined', 'agent_id looks for the string "undefined"; send agent_id_null=true instead.'],
  ])('is refused: %s', async (query, message) => {
    const posts = [
      { id: 1, tag_ids: [1, 2], agent_id: null },
      { id: 2, tag_ids: [2], agent_id: 5 },
    ]
    const { ask, kept } = await serveShop('a file', {}, { posts })
    const answer = await ask('DELETE', `/posts?${query}`)
    expect([answer.status, JSON.parse(answer.body).message]).toEqual([400, `${message} Nothing was changed.`])
    expect(await kept()).toEqual({ posts })
  })
})

describe('the filters of a change are those of a list', () => {
  it('may ask for two entries of one list', async () => {
    const tags = (...names: readonly string[]) => names.map((name) => ({ name }))
    const items = [
      { id: 1, tags: tags('a', 'b') },
      { id: 2, tags: tags('a') },
    ]
    const { ask, kept } = await serveShop('a file', {}, { items })
    const where = encodeURIComponent('{"not":{"and":[{"tags.name":"a"},{"tags.name":"b"}]}}')
    expect((await ask('DELETE', `/items?_where=${where}`)).headers['x-total-count']).toBe('1')
    expect((await kept()).items).toEqual([items[0]])
  })

  it.each([
    ['an operator', 'price_gt=5', [1]],
    ['its other spelling', 'price:lt=20', [3]],
    ['a list of values', 'id_in=1,3', [2]],
    ['_where', `_where=${encodeURIComponent('{"or":[{"price":{"gt":15}},{"name":"Desk"}]}')}`, [2]],
    ['a text that is there', 'note_null=false', [1, 2]],
    ['a pattern for texts that are not empty', 'note_like=.', [1, 2]],
    ['a value to differ from', 'id_ne=2', [2]],
    ['values to differ from, one of them empty', 'id_nin=2,', [2]],
    ['a negation', `_where=${encodeURIComponent('{"not":{"id":2}}')}`, [2]],
    ['what is null or missing', `_where=${encodeURIComponent('{"not":{"note":{"null":false}}}')}`, [3]],
    [
      'what is null or small',
      `_where=${encodeURIComponent('{"or":[{"note":null},{"price":{"lt":6}}]}')}`,
      [3],
    ],
    ['the filter of react-admin', `filter=${encodeURIComponent('{"id":[1,2]}')}`, [3]],
    ['the filters of ng-admin', `_filters=${encodeURIComponent('{"company_id":2}')}`, [1]],
  ])('%s', async (_what, filter, left) => {
    const { ask, kept } = await serveShop('a file')
    const answer = await ask('DELETE', `/products?${filter}`)
    expect(answer.status, answer.body).toBe(200)
    expect((await kept()).products?.map((row) => Reflect.get(Object(row), 'id'))).toEqual(left)
  })

  it.each([
    ['an operator on a field that no row has', 'weight_gt=5'],
    ['a value that cannot be read', 'price_between=1'],
    ['one readable value and one that is not', 'price_between=1,9&price_between=1'],
    ['an empty _where', '_where={}'],
    ['a _where that is not JSON', '_where={'],
    ['a field that no row has in _where', `_where=${encodeURIComponent('{"weight":{"gt":1}}')}`],
    ['an empty filter of react-admin', 'filter={}'],
    ['the pages of json-server 1.0', 'price=5&_per_page=1'],
    ['the range of react-admin', 'price=5&range=[0,9]'],
    ['the sort of react-admin', `price=5&sort=${encodeURIComponent('["name","ASC"]')}`],
    ['the sort of ng-admin', 'price=5&_sortField=name'],
    ['the relations of react-admin', `price=5&embed=${encodeURIComponent('["company"]')}`],
  ])('but %s changes nothing', async (_what, query) => {
    const { ask, kept } = await serveShop('a file')
    const before = await kept()
    const answer = await ask('DELETE', `/products?${query}`)
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'INVALID_QUERY'])
    expect(await kept()).toEqual(before)
  })

  it.each([
    ['_fields', 'a', 1],
    ['_per_page', '2', 1],
    ['_sortDir', 'ASC', 1],
    ['_strict', 'maybe', 1],
    ['_where', 'x', 1],
  ])('a field called %s comes before the word', async (name, value, total) => {
    const data = { items: [{ id: 1, [name]: value }, { id: 2 }] }
    const { ask } = await serveShop('a file', {}, data)
    expect((await ask('DELETE', `/items?${name}=${value}`)).headers['x-total-count']).toBe(String(total))
  })

  it('a field called _all comes before the word', async () => {
    const { ask } = await serveShop(
      'a file',
      {},
      {
        items: [
          { id: 1, _all: 'true' },
          { id: 2, _all: 'no' },
        ],
      },
    )
    expect((await ask('DELETE', '/items?_all=no')).headers['x-total-count']).toBe('1')
    expect((await ask('DELETE', '/items?_all=true')).headers['x-total-count']).toBe('1')
  })
})
