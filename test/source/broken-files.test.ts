import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../support/folder.ts'
import { send, serve } from '../support/http/served-files.ts'
import { json } from '../support/http/serving.ts'

const FILES = {
  'posts.json': '[{"id":1}]',
  'notes.yaml': '- id: 1\n',
  'tags.csv': 'id\n1\n',
  'events.ndjson': '{"id":1}\n',
}
const ALL = { events: [{ id: 1 }], notes: [{ id: 1 }], posts: [{ id: 1 }], tags: [{ id: 1 }] }

describe('a file of a folder that cannot be read', () => {
  it.each([
    ['posts.json', '[{"id":'],
    ['posts.json', '{"a":1}'],
    ['notes.yaml', '- [1\n'],
    ['tags.csv', 'id,id\n1,2\n'],
    ['events.ndjson', '{"id":\n{"id":2}\n'],
  ])('%s with %j keeps only its own resource from being written, until it is mended', async (name, text) => {
    const folder = folderOf(FILES)
    const { api, db } = await serve(folder)
    const broken = name.split('.')[0] ?? ''
    writeFileSync(join(folder, name), text)
    for (const resource of Object.keys(ALL))
      expect(await send(api, 'POST', `/${resource}`, {}), resource).toBe(resource === broken ? 503 : 201)
    const refused = await api.fetch(`/${broken}`, json('POST', {}))
    expect(await refused.json()).toMatchObject({
      code: 'WRITE_FAILED',
      message: expect.stringContaining(name),
    })
    const healthy = Object.fromEntries(
      Object.keys(ALL).map((resource) => [
        resource,
        resource === broken ? [{ id: 1 }] : [{ id: 1 }, { id: 2 }],
      ]),
    )
    expect(await db()).toEqual(healthy)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    // No outside edit, so the changes can still be undone.
    expect(await send(api, 'POST', '/__undo')).toBe(200)
    writeFileSync(join(folder, name), FILES[name as keyof typeof FILES])
    expect(await send(api, 'POST', `/${broken}`, {})).toBe(201)
    expect(await (await serve(folder)).db()).toEqual(await db())
  })

  it('does not delay the writes to others, nor writes of both at once', async () => {
    const folder = folderOf(FILES)
    const { api, db } = await serve(folder)
    writeFileSync(join(folder, 'posts.json'), '[')
    await send(api, 'POST', '/tags', {})
    const start = performance.now()
    for (let times = 0; times < 10; times++) expect(await send(api, 'POST', '/tags', {})).toBe(201)
    expect(performance.now() - start).toBeLessThan(1500)
    const sent = ['/tags', '/posts', '/tags', '/notes', '/posts'].map((path) => send(api, 'POST', path, {}))
    expect(await Promise.all(sent)).toEqual([201, 503, 201, 201, 503])
    expect(await db()).toMatchObject({ posts: ALL.posts, notes: [{ id: 1 }, { id: 2 }] })
  })

  it('refuses a change of it and of a healthy one, as a whole', async () => {
    const folder = folderOf({ 'posts.json': '[{"id":1}]', 'comments.json': '[{"id":1,"postId":1}]' })
    const { api } = await serve(folder)
    writeFileSync(join(folder, 'comments.json'), '[')
    expect(await send(api, 'DELETE', '/posts/1?_dependent=comments')).toBe(503)
    expect(readFileSync(join(folder, 'posts.json'), 'utf8')).toBe('[{"id":1}]')
    expect(await send(api, 'DELETE', '/posts/1')).toBe(200)
  })

  it('may come new, and is served once it is whole', async () => {
    const folder = folderOf(FILES)
    const { api, db } = await serve(folder)
    writeFileSync(join(folder, 'zones.json'), '[{"id":')
    expect(await send(api, 'POST', '/posts', {})).toBe(201)
    expect(readFileSync(join(folder, 'zones.json'), 'utf8')).toBe('[{"id":')
    writeFileSync(join(folder, 'zones.json'), '[{"id":7}]')
    expect(await send(api, 'POST', '/posts', {})).toBe(201)
    expect(await db()).toMatchObject({ zones: [{ id: 7 }], posts: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  })
})

describe('rows that another program left unfinished while a server runs', () => {
  const torn = '{"id":2,"na'
  const open = async (options = {}) => {
    const folder = folderOf({ 'events.ndjson': FILES['events.ndjson'], 'posts.json': '[]' })
    const path = join(folder, 'events.ndjson')
    const { api, db } = await serve(folder, options)
    appendFileSync(path, torn)
    return { api, db, path, text: () => readFileSync(path, 'utf8') }
  }

  it('are refused with a remedy while it may be writing them', async () => {
    const { api, text } = await open()
    const refused = await api.fetch('/events', json('POST', {}))
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      {
        message: expect.stringMatching(
          /events\.ndjson ends in the middle of a row\. Finish that line, or remove it/,
        ),
      },
    ])
    expect(text()).toBe(`${FILES['events.ndjson']}${torn}`)
    expect(await send(api, 'POST', '/posts', {})).toBe(201)
  })

  it('are cut off by the next write once nobody has written to it for a while', async () => {
    const { api, db, path, text } = await open()
    const before = Date.now() / 1000 - 5
    utimesSync(path, before, before)
    expect(await send(api, 'POST', '/posts', {})).toBe(201)
    expect(await send(api, 'POST', '/events', { name: 'new' })).toBe(201)
    expect(text()).toBe(`${FILES['events.ndjson']}{"name":"new","id":2}\n`)
    expect(await db()).toMatchObject({ events: [{ id: 1 }, { id: 2, name: 'new' }] })
  })

  it('stay in the file of a server that is started read-only', async () => {
    const { path, text } = await open()
    const { db } = await serve(path, { readOnly: true })
    expect(await db()).toEqual({ events: [{ id: 1 }] })
    expect(text()).toContain(torn)
  })
})
