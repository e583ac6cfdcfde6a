import { readFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type StartOptions, start } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'

const PAGE = { 'x-restable-page': '1' }

async function servePlaces(options: StartOptions = {}) {
  const source = fileOf({ posts: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  const server = await start({ source, ...options })
  onTestFinished(() => server.close())
  const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    fetch(server.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const ids = async () =>
    ((await (await fetch(`${server.url}/posts`)).json()) as { id: number }[]).map(({ id }) => id)
  const saved = async () =>
    JSON.parse(await readFile(source, 'utf8')).posts.map(({ id }: { id: number }) => id)
  return { send, ids, saved }
}

it('brings a deleted row back to where it stood', async () => {
  const { send, ids, saved } = await servePlaces()
  const gone = await send('DELETE', '/posts/2', PAGE)
  const place = gone.headers.get('x-restable-place') ?? ''
  expect(place).toBe('1')
  const back = await send('POST', '/posts', { ...PAGE, 'x-restable-place': place }, { id: 2 })
  expect(back.status).toBe(201)
  expect(await ids()).toEqual([1, 2, 3])
  expect(await saved()).toEqual([1, 2, 3])
})

it('tells nobody who does not ask', async () => {
  const { send } = await servePlaces()
  expect((await send('DELETE', '/posts/2', {})).headers.has('x-restable-place')).toBe(false)
  expect((await send('DELETE', '/posts/2', PAGE)).headers.has('x-restable-place')).toBe(false)
})

it('gives a place to nobody but the page', async () => {
  const { send, ids } = await servePlaces()
  await send('POST', '/posts', { 'x-restable-place': '0' }, { id: 9 })
  expect(await ids()).toEqual([1, 2, 3, 9])
})

it.each(['-1', 'x', '1.5', '', '99999999999', '1,2'])('takes a place of %j for none', async (place) => {
  const { send, ids } = await servePlaces()
  await send('POST', '/posts', { ...PAGE, 'x-restable-place': place }, { id: 9 })
  expect(await ids()).toEqual([1, 2, 3, 9])
})

it('puts several rows at the end, wherever they were to go', async () => {
  const { send, ids } = await servePlaces()
  await send('POST', '/posts', { ...PAGE, 'x-restable-place': '0' }, [{ id: 8 }, { id: 9 }])
  expect(await ids()).toEqual([1, 2, 3, 8, 9])
})

it.each<[string, StartOptions, number]>([
  ['read-only', { readOnly: true }, 403],
  ['a key', { middlewares: ['api-key'] }, 401],
])('does not get around %s', async (_, options, status) => {
  const { send, saved } = await servePlaces(options)
  expect((await send('POST', '/posts', { ...PAGE, 'x-restable-place': '0' }, { id: 9 })).status).toBe(status)
  expect(await saved()).toEqual([1, 2, 3])
})
