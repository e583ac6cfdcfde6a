import { describe, expect, it } from 'vitest'
import { fileIn, formOf, PNG, rawForm, serveUploads } from './forms.ts'

const URL_OF = /^http:\/\/localhost:\d+\/uploads\/[0-9a-f]{32}\/[^/]+$/

describe('a form', () => {
  it('makes a row with its fields and files, wherever they stand in it', async () => {
    const { send, server, files } = await serveUploads()
    const form = formOf(
      ['avatar', [PNG, 'a b.png', 'text/html']],
      ['title', 'hello'],
      ['address[city]', 'Bern'],
    )
    const { status, row, headers } = await send('POST', '/posts', form)
    expect(status).toBe(201)
    expect(row).toEqual({
      id: 2,
      title: 'hello',
      address: { city: 'Bern' },
      avatar: { url: expect.stringMatching(URL_OF), name: 'a b.png', type: 'image/png', size: PNG.length },
    })
    expect(Buffer.from(await (await fetch(fileIn(row.avatar).url)).arrayBuffer())).toEqual(PNG)
    expect(files()).toHaveLength(1)
    const read = await fetch(`${server.url}/posts/2`)
    expect(read.headers.get('etag')).toBe(headers.get('etag'))
    expect(await read.json()).toEqual(row)
  })

  it.each([
    [
      'repeated names are a list',
      [
        ['tag', 'a'],
        ['tag', 'b'],
      ],
      { tag: ['a', 'b'] },
    ],
    ['[] is a list', [['tag[]', 'a']], { tag: ['a'] }],
    [
      'numbers are places',
      [
        ['a[0]', 'x'],
        ['a[1][b]', 'y'],
      ],
      { a: ['x', { b: 'y' }] },
    ],
    [
      'nothing chosen leaves the field',
      [
        ['avatar', ['', '']],
        ['title', 'b'],
      ],
      { title: 'b' },
    ],
    ['JSON is JSON', [['list', ['[1,{"a":null}]', 'blob', 'application/json']]], { list: [1, { a: null }] }],
    [
      'data has all fields',
      [
        ['data', '{"title":"x","n":1}'],
        ['n', '2'],
      ],
      { title: 'x', n: '2' },
    ],
    ['no parts at all are an empty row', [], {}],
  ] as const)('%s', async (_, parts, fields) => {
    const { send } = await serveUploads()
    const { status, row } = await send('POST', '/posts', formOf(...parts))
    expect([status, row]).toEqual([201, { id: 2, ...fields }])
  })

  it("is Strapi's, with files.cover, unless a row has a field data", async () => {
    const { send } = await serveUploads()
    const form = () => formOf(['files.cover', [PNG, 'c.png']], ['data', '{"title":"x"}'])
    expect((await send('POST', '/posts', form())).row).toMatchObject({ title: 'x', cover: { name: 'c.png' } })
    await send('POST', '/posts', { data: 'plain' })
    expect((await send('POST', '/posts', form())).row).toMatchObject({
      data: '{"title":"x"}',
      'files.cover': { name: 'c.png' },
    })
  })

  it('sets files of nested rows, of items and of single objects', async () => {
    const { send } = await serveUploads()
    const form = () => formOf(['pic', [PNG, 'p.png']])
    expect((await send('POST', '/companies/9/posts', form())).row).toMatchObject({
      companyId: '9',
      pic: { size: 33 },
    })
    expect((await send('PATCH', '/posts/1', form())).row).toMatchObject({
      title: 'a',
      pic: { name: 'p.png' },
    })
    expect((await send('PATCH', '/profile', form())).row).toMatchObject({
      name: 'me',
      pic: { name: 'p.png' },
    })
    expect((await send('PUT', '/profile', form())).row).toEqual({
      pic: expect.objectContaining({ name: 'p.png' }),
    })
    const missing = await send('PUT', '/posts/77', form())
    expect([missing.status, missing.row]).toEqual([404, {}])
  })

  it('keeps, replaces and clears files of a row', async () => {
    const { send } = await serveUploads()
    await send('PATCH', '/posts/1', formOf(['pic', [PNG, 'p.png']], ['all[]', ['x', '1.txt']]))
    const kept = await send('PUT', '/posts/1', formOf(['title', 'b'], ['pic', ['', '']]))
    expect(kept.row).toEqual({ id: 1, title: 'b', pic: expect.objectContaining({ name: 'p.png' }) })
    expect((await send('PATCH', '/posts/1', formOf(['pic', '']))).row.pic).toBeNull()
    await send('PATCH', '/posts/1', formOf(['all[]', ['x', '1.txt']]))
    expect((await send('PATCH', '/posts/1', formOf(['all', ['y', '2.txt']]))).row.all).toEqual([
      expect.objectContaining({ name: '2.txt' }),
    ])
    const cleared = formOf(['all', ['null', 'blob', 'application/json']])
    expect((await send('PATCH', '/posts/1', cleared)).row.all).toEqual([])
    expect((await send('PUT', '/posts/1', formOf(['title', 'c']))).row).toEqual({ id: 1, title: 'c' })
  })

  it('goes by the schema: its kinds, URLs alone, and lists', async () => {
    const properties = {
      price: { type: 'number' },
      cover: { type: 'string' },
      pages: { type: 'array', items: { $ref: '#/$defs/url' } },
    }
    const schema = { type: 'object', properties, required: ['price'], $defs: { url: { type: 'string' } } }
    const { send, files } = await serveUploads({ resources: { posts: { schema } } })
    const form = formOf(['cover', [PNG, 'c.png']], ['pages', ['x', 'x.txt']], ['price', '9.5'])
    const { status, row } = await send('POST', '/posts', form)
    expect([status, row]).toEqual([
      201,
      { id: 2, price: 9.5, cover: expect.stringMatching(URL_OF), pages: [expect.stringMatching(URL_OF)] },
    ])
    expect(files()).toHaveLength(2)
    const refused = await send('POST', '/posts', formOf(['cover', ['other', 'c.txt']]))
    expect([refused.status, refused.row.code, files().length]).toEqual([422, 'VALIDATION_FAILED', 2])
  })

  it.each([
    ['folders and what readers take for something else', 'C:\\x\\..\\a\u202Egnp<b>.txt', 'agnpb.txt'],
    ['NUL', 'a\0.html', 'a.html'],
    ['dots alone', '..', 'file'],
    ['more than 200 bytes', `${'ä'.repeat(150)}.png`, 'ä'.repeat(100)],
  ])('gives a name without %s', async (_, sent, name) => {
    const { send } = await serveUploads()
    const encoded = Buffer.from(sent).toString('latin1').replaceAll('"', '%22')
    const form = rawForm(`Content-Disposition: form-data; name="f"; filename="${encoded}"\r\n\r\nx`)
    expect(fileIn((await send('POST', '/posts', form)).row.f).name).toBe(name)
  })

  it('reads filename* only without filename, and takes other types than text as files', async () => {
    const { send } = await serveUploads()
    const form = rawForm(
      `Content-Disposition: form-data; name="a"; filename*=UTF-8''na%C3%AFve.txt\r\n\r\nx`,
      `Content-Disposition: form-data; name="b"; filename="b.txt"; filename*=UTF-8''c.txt\r\n\r\nx`,
      'Content-Disposition: form-data; name="c"\r\nContent-Type: image/png\r\n\r\nx',
      'Content-Disposition: form-data; name="d"; filename=""\r\n\r\nx',
      'Content-Disposition: form-data; name="e"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nx',
    )
    const { row } = await send('POST', '/posts', form)
    const names = [row.a, row.b, row.c, row.d].map((value) => fileIn(value).name)
    expect([names, row.e]).toEqual([['naïve.txt', 'b.txt', 'file', 'file'], 'x'])
  })
})

describe('a refused form stores nothing', () => {
  const PART = 'Content-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
  const TYPE = { 'content-type': 'multipart/form-data; boundary=xx' }
  const post = (body: string, headers: Record<string, string> = TYPE) => ({ method: 'POST', headers, body })

  it.each([
    ['torn', 400, 'MALFORMED_FORM', post(`--xx\r\n${PART}abc`)],
    ['torn in a header', 400, 'MALFORMED_FORM', post('--xx\r\nContent-Dispo')],
    ['without its last boundary', 400, 'MALFORMED_FORM', post(`--xx\r\n${PART}abc\r\n--xx\r\n`)],
    [
      'without a boundary in its type',
      400,
      'MALFORMED_FORM',
      post('x', { 'content-type': 'multipart/form-data' }),
    ],
    [
      'with a boundary that is too long',
      400,
      'MALFORMED_FORM',
      post(`--${'x'.repeat(80)}--`, { 'content-type': `multipart/form-data; boundary=${'x'.repeat(80)}` }),
    ],
    [
      'with __proto__',
      400,
      'INVALID_BODY',
      rawForm(PART, 'Content-Disposition: form-data; name="a[__proto__]"\r\n\r\n1'),
    ],
    ['without a name', 400, 'INVALID_BODY', rawForm(PART, 'Content-Disposition: form-data\r\n\r\n1')],
    [
      'nested too deep',
      400,
      'INVALID_BODY',
      rawForm(PART, `Content-Disposition: form-data; name="a${'[a]'.repeat(100)}"\r\n\r\n1`),
    ],
    [
      'with broken JSON',
      400,
      'INVALID_BODY',
      rawForm(PART, 'Content-Disposition: form-data; name="j"\r\nContent-Type: application/json\r\n\r\n{'),
    ],
    ['with a large file', 413, 'FILE_TOO_LARGE', formOf(['a', 'x'], ['big', ['x'.repeat(1001), 'b']])],
    [
      'with many files',
      413,
      'BODY_TOO_LARGE',
      formOf(...Array.from({ length: 4 }, (_, n) => [`f${n}`, ['x', 'x']] as const)),
    ],
    ['of too many bytes', 413, 'BODY_TOO_LARGE', formOf(['a', 'x'.repeat(6000)])],
    ['with a file of another type', 415, 'FILE_TYPE', formOf(['f', [PNG, 'x.txt', 'text/plain']])],
  ])('%s', async (_, status, code, form) => {
    const uploads = { maxBytes: 1000, maxFiles: 3, types: ['text/*', 'application/octet-stream'] }
    const { send, files } = await serveUploads({ uploads })
    const refused = await send('POST', '/posts', form)
    expect([refused.status, refused.row.code]).toEqual([status, code])
    await expect.poll(files).toEqual([])
    expect((await send('POST', '/posts', { title: 'b' })).row.id).toBe(2)
  })

  it.each([
    ['1,000 fields', formOf(...Array.from({ length: 1001 }, (_, n) => [`f${n}`, 'x'] as const)), '"f1000"'],
    ['1 MB in a field', formOf(['a', 'x'], ['text', 'x'.repeat(1024 * 1024 + 1)]), '"text"'],
  ])('of more than %s, and the message names the part', async (_, form, part) => {
    const { send } = await serveUploads()
    const { status, row } = await send('POST', '/posts', form)
    expect([status, row.code, String(row.message)]).toEqual([
      413,
      'BODY_TOO_LARGE',
      expect.stringContaining(part),
    ])
  })

  it('of a client that may not write, before it is read', async () => {
    const { send, files } = await serveUploads({ readOnly: true })
    expect((await send('POST', '/posts', formOf(['f', ['x', 'x']]))).status).toBe(403)
    expect(files()).toEqual([])
  })
})

it('without the setting, a form with files is refused, and the message names the flag', async () => {
  const { send } = await serveUploads({ uploads: false })
  const { status, row } = await send('POST', '/posts', formOf(['f', ['x', 'x']]))
  expect([status, row.message]).toEqual([415, expect.stringContaining('--uploads')])
})
