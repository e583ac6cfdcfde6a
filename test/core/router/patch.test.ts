import { describe, expect, it } from 'vitest'
import { JSON_PATCH, type Kept, MERGE_PATCH, serveShop } from '../../support/http/shop.ts'

describe.each<Kept>(['a file', 'a live object'])('one row of %s', (kept) => {
  it.each<[string, string, Record<string, string>, unknown, unknown]>([
    [
      'a merge patch',
      '/companies/1',
      MERGE_PATCH,
      { head: { zip: null, street: 'Via' } },
      { id: 1, name: 'Acme', head: { city: 'Rome', street: 'Via' } },
    ],
    [
      'a merge patch that names another id',
      '/companies/2',
      MERGE_PATCH,
      { id: 9, name: 'B' },
      { id: 2, name: 'B' },
    ],
    [
      'a merge patch that would remove the id',
      '/companies/2',
      MERGE_PATCH,
      { id: null },
      { id: 2, name: 'Bolt' },
    ],
    [
      'a merge patch with parameters',
      '/companies/2',
      { 'content-type': 'Application/Merge-Patch+JSON; charset=utf-8' },
      { name: null },
      { id: 2 },
    ],
    ['a merge patch of nothing', '/companies/2', MERGE_PATCH, {}, { id: 2, name: 'Bolt' }],
    [
      'fields, as ever: nothing is removed',
      '/companies/2',
      {},
      { name: null, head: { a: null } },
      { id: 2, name: null, head: { a: null } },
    ],
    [
      'another JSON type, as ever',
      '/companies/2',
      { 'content-type': 'application/vnd.api+json' },
      { name: null },
      { id: 2, name: null },
    ],
    [
      'a JSON Patch',
      '/products/1',
      JSON_PATCH,
      [
        { op: 'test', path: '/id', value: 1 },
        { op: 'add', path: '/tags/-', value: 'oak' },
        { op: 'move', from: '/price', path: '/cost' },
        { op: 'remove', path: '/company_id' },
      ],
      { id: 1, name: 'Desk', tags: ['wood', 'oak'], cost: 5 },
    ],
    ['a JSON Patch of nothing', '/companies/2', JSON_PATCH, [], { id: 2, name: 'Bolt' }],
    [
      'a JSON Patch of the whole',
      '/companies/2',
      JSON_PATCH,
      [{ op: 'replace', path: '', value: { id: 2, a: 1 } }],
      { id: 2, a: 1 },
    ],
    [
      'a JSON Patch that sets the id to what it is',
      '/companies/2',
      JSON_PATCH,
      [
        { op: 'replace', path: '/id', value: 2 },
        { op: 'add', path: '/id', value: 2 },
        { op: 'copy', from: '/id', path: '/id' },
        { op: 'move', from: '/id', path: '/id' },
        { op: 'replace', path: '/name', value: 'Nut' },
      ],
      { id: 2, name: 'Nut' },
    ],
    [
      'a JSON Patch of a single object',
      '/profile',
      JSON_PATCH,
      [{ op: 'remove', path: '/open/to' }],
      { name: 'Shop', open: { from: 9 } },
    ],
    [
      'a JSON Patch of the id of what has none',
      '/profile',
      JSON_PATCH,
      [{ op: 'add', path: '/id', value: 1 }],
      { name: 'Shop', open: { from: 9, to: 18 }, id: 1 },
    ],
    [
      'a merge patch of a single object',
      '/profile',
      MERGE_PATCH,
      { open: { to: null } },
      { name: 'Shop', open: { from: 9 } },
    ],
  ])('is changed by %s', async (_what, path, headers, body, result) => {
    const { ask } = await serveShop(kept)
    const answer = await ask('PATCH', path, body, headers)
    expect(answer.status, answer.body).toBe(200)
    expect(JSON.parse(answer.body)).toEqual(result)
    const read = await ask('GET', path)
    expect(JSON.parse(read.body)).toEqual(result)
    expect(read.headers.etag).toBe(answer.headers.etag)
  })

  it.each<[string, string, Record<string, string>, unknown, number, string]>([
    [
      'a test that fails',
      '/products/1',
      JSON_PATCH,
      [
        { op: 'add', path: '/x', value: 1 },
        { op: 'test', path: '/price', value: 6 },
      ],
      409,
      'PATCH_TEST_FAILED',
    ],
    [
      'a missing path',
      '/products/1',
      JSON_PATCH,
      [
        { op: 'add', path: '/x', value: 1 },
        { op: 'remove', path: '/y' },
      ],
      422,
      'INVALID_PATCH',
    ],
    [
      'another id',
      '/products/1',
      JSON_PATCH,
      [{ op: 'replace', path: '/id', value: 2 }],
      422,
      'INVALID_PATCH',
    ],
    [
      'the id as a string',
      '/products/1',
      JSON_PATCH,
      [{ op: 'add', path: '/id', value: '1' }],
      422,
      'INVALID_PATCH',
    ],
    ['the id gone', '/products/1', JSON_PATCH, [{ op: 'remove', path: '/id' }], 422, 'INVALID_PATCH'],
    [
      'the id moved away',
      '/products/1',
      JSON_PATCH,
      [{ op: 'move', from: '/id', path: '/was' }],
      422,
      'INVALID_PATCH',
    ],
    [
      'the id, copied over',
      '/products/1',
      JSON_PATCH,
      [{ op: 'copy', from: '/name', path: '/id' }],
      422,
      'INVALID_PATCH',
    ],
    [
      'the whole with another id',
      '/products/1',
      JSON_PATCH,
      [{ op: 'add', path: '', value: { id: 2 } }],
      422,
      'INVALID_PATCH',
    ],
    [
      'the whole with the id as a string',
      '/products/1',
      JSON_PATCH,
      [{ op: 'add', path: '', value: { id: '1' } }],
      422,
      'INVALID_PATCH',
    ],
    [
      'the whole as a list',
      '/products/1',
      JSON_PATCH,
      [{ op: 'add', path: '', value: [] }],
      422,
      'INVALID_PATCH',
    ],
    ['the whole removed', '/products/1', JSON_PATCH, [{ op: 'remove', path: '' }], 422, 'INVALID_PATCH'],
    [
      'a single object as a list',
      '/profile',
      JSON_PATCH,
      [{ op: 'add', path: '', value: [] }],
      422,
      'INVALID_PATCH',
    ],
    [
      'an object for a patch',
      '/products/1',
      JSON_PATCH,
      { op: 'remove', path: '/price' },
      400,
      'INVALID_BODY',
    ],
    [
      'an operation that is none',
      '/products/1',
      JSON_PATCH,
      [{ op: 'spam', path: '/price' }],
      400,
      'INVALID_BODY',
    ],
    ['a patch that is no JSON', '/products/1', JSON_PATCH, '[{', 400, 'MALFORMED_JSON'],
    [
      'a JSON Patch that does not say so',
      '/products/1',
      { 'content-type': 'application/json' },
      [{ op: 'remove', path: '/name' }],
      400,
      'INVALID_BODY',
    ],
    ['a list for a merge patch', '/products/1', MERGE_PATCH, [{ price: 1 }], 400, 'INVALID_BODY'],
    [
      'a patch under a common name',
      '/products/1',
      {},
      [{ op: 'remove', path: '/price' }],
      400,
      'INVALID_BODY',
    ],
    [
      'too many operations',
      '/products/1',
      JSON_PATCH,
      Array(1001).fill({ op: 'test', path: '/price', value: 5 }),
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a bomb',
      '/products/1',
      JSON_PATCH,
      Array(100).fill({ op: 'copy', from: '/tags', path: '/tags/-' }),
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a tower',
      '/products/1',
      JSON_PATCH,
      Array.from({ length: 101 }, (_, at) => ({ op: 'add', path: '/a'.repeat(at + 1), value: {} })),
      413,
      'BODY_TOO_LARGE',
    ],
  ])('stays as it is after %s', async (_what, path, headers, body, status, code) => {
    const { ask, kept: read } = await serveShop(kept)
    const before = await read()
    const answer = await ask('PATCH', path, body, headers)
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { error: expect.any(String), message: expect.any(String), code },
    ])
    expect(await read()).toEqual(before)
  })

  it('is told how to send a JSON Patch that came as something else', async () => {
    const { ask } = await serveShop(kept)
    const { body } = await ask('PATCH', '/products/1', [{ op: 'remove', path: '/name' }])
    expect(JSON.parse(body).message).toContain('application/json-patch+json')
    expect(JSON.parse((await ask('PATCH', '/products/1', [{ name: 'x' }])).body).message).toContain('object')
  })

  it('that is not there is a 404, whatever the patch', async () => {
    const { ask } = await serveShop(kept)
    for (const [headers, body] of [
      [JSON_PATCH, []],
      [MERGE_PATCH, {}],
    ] as const) {
      const answer = await ask('PATCH', '/products/99', body, headers)
      expect([answer.status, answer.body]).toEqual([404, '{}'])
    }
  })

  it('is patched as it is when its turn comes: no change of another is lost', async () => {
    const { ask } = await serveShop(kept)
    await ask('PATCH', '/products/1', { tags: [] })
    const add = (tag: number) =>
      ask('PATCH', '/products/1', [{ op: 'add', path: '/tags/-', value: tag }], JSON_PATCH)
    const answers = await Promise.all(Array.from({ length: 40 }, (_, tag) => add(tag)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { tags } = JSON.parse((await ask('GET', '/products/1')).body)
    expect(tags.toSorted((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, tag) => tag),
    )
  })

  it('keeps a key of its own, where that has another name', async () => {
    const { ask } = await serveShop(kept, { id: 'key' }, { things: [{ key: 'a', id: 1 }] })
    expect((await ask('PATCH', '/things/a', [{ op: 'remove', path: '/key' }], JSON_PATCH)).status).toBe(422)
    expect((await ask('PATCH', '/things/a', [{ op: 'remove', path: '/id' }], JSON_PATCH)).body).toBe(
      '{\n  "key": "a"\n}',
    )
  })

  it('can be patched by a client that knows only POST', async () => {
    const { ask } = await serveShop(kept)
    const headers = { ...JSON_PATCH, 'x-http-method-override': 'PATCH' }
    const answer = await ask('POST', '/companies/2', [{ op: 'remove', path: '/name' }], headers)
    expect(JSON.parse(answer.body)).toEqual({ id: 2 })
  })
})
