import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { open, router, type StartOptions } from '../../../src/index.ts'
import { serving } from '../../support/http/serving.ts'

const data = () => ({ posts: [{ id: 1, views: 100 }], tags: [{ id: 1 }], salaries: [{ id: 1 }], profile: {} })

async function openLogged(options: StartOptions = {}) {
  const lines: string[] = []
  const api = await open({ data: data(), live: false, print: (line) => lines.push(line), ...options })
  return { api, lines, log: () => lines.join('\n') }
}

describe('a POST without a body', () => {
  const post = { method: 'POST' }

  it.each<[string, StartOptions, string, RequestInit]>([
    ['the config', { strict: true }, '/posts', post],
    ['_strict', {}, '/posts?_strict=true', post],
    ['Prefer', {}, '/posts', { ...post, headers: { Prefer: 'handling=strict' } }],
    ['the config, for a single object', { strict: true }, '/profile', post],
    ['the config, for a nested path', { strict: true }, '/tags/1/posts', post],
    [
      'the config, whatever its type says',
      { strict: true },
      '/posts',
      { ...post, headers: { 'Content-Type': 'application/json' } },
    ],
    ['the config, in a session', { strict: true }, '/posts', { ...post, headers: { 'X-Mock-Session': 'a' } }],
    ['the config, with a shape', { strict: true, wrap: 'data' }, '/posts', post],
  ])('is refused where it is strict by %s', async (_, options, path, init) => {
    const { api } = await openLogged(options)
    const response = await api.fetch(path, init)
    expect(response.status).toBe(400)
    const { code, message } = Object(await response.json())
    expect(code).toBe('EMPTY_BODY')
    expect(message).toBe(
      'The request has no body; send a JSON object, such as {"name": "Desk"}, or {} for an empty one.',
    )
  })

  it.each<[string, StartOptions, string, RequestInit]>([
    ['by default', {}, '/posts', post],
    ['by _strict', { strict: true }, '/posts?_strict=false', post],
    ['by Prefer', { strict: true }, '/posts', { ...post, headers: { Prefer: 'handling=lenient' } }],
    ['as it has one', { strict: true }, '/posts', { ...post, body: '{}' }],
  ])('is a row %s', async (_, options, path, init) => {
    const { api, log } = await openLogged(options)
    const response = await api.fetch(path, init)
    expect([response.status, await response.json()]).toEqual([201, { id: 2 }])
    const line = 'POST /posts had no body, so there is nothing in it that the client sent.'
    expect(log().includes(line)).toBe(init.body === undefined)
    const preferred = Object(init.headers).Prefer ?? null
    expect(response.headers.get('Preference-Applied')).toBe(preferred)
  })

  it('is refused in router(), too, and changes nothing', async () => {
    const url = await serving(express().use(router(data(), { strict: true })))
    expect((await fetch(`${url}/posts`, post)).status).toBe(400)
    expect(await (await fetch(`${url}/posts`)).json()).toEqual(data().posts)
  })
})

describe('what had no effect', () => {
  it.each([
    [
      '_sort=views:desc',
      '_sort=views:desc had no effect: no item has such a field. Did you mean _sort=-views?',
    ],
    ['views>100', 'views>100 had no effect: no item has such a field. Did you mean views_gt=100?'],
    ['views>=100', 'views> had no effect: no item has such a field. Did you mean views_gte?'],
    ['_page=0', '_page has a value that cannot be read. Did you mean _page=1?'],
  ])('gets a suggestion: %s', async (query, sentence) => {
    const { api, log } = await openLogged()
    expect(await (await api.fetch(`/posts?${query}`)).json()).toEqual(data().posts)
    expect(log()).toContain(sentence)
    const strict = await api.fetch(`/posts?${query}&_strict=true`)
    expect([strict.status, Object(await strict.json()).message]).toEqual([400, sentence])
  })
})

describe('a request that no resource takes', () => {
  it.each([
    ['GET', '/post', 'nearest: /posts'],
    ['GET', '/psots/1', 'nearest: /posts'],
    ['POST', '/post', 'nearest: /posts'],
    ['GET', '/api/posts', 'nearest: /posts'],
    ['PUT', '/posts', 'nearest: PUT /posts/:id'],
    ['GET', '/nothing-like-it', null],
    ['GET', '/posts/99', null],
  ])('is 404 {} with a hint: %s %s', async (method, path, hint) => {
    const { api } = await openLogged()
    const response = await api.fetch(path, { method, headers: { Origin: 'http://localhost:5173' } })
    expect([response.status, await response.text(), response.headers.get('X-Mock-Hint')]).toEqual([
      404,
      '{}',
      hint,
    ])
    const exposed = response.headers.get('Access-Control-Expose-Headers') ?? ''
    expect(exposed.includes('X-Mock-Hint')).toBe(hint !== null)
  })

  it('names only what the client may read', async () => {
    const { api } = await openLogged({
      middlewares: ['accounts'],
      accounts: { persona: true },
      data: { ...data(), users: [{ id: 1, email: 'ada@example.com', role: 'admin' }] },
      resources: { salaries: { access: { read: 'role:admin' } }, posts: { access: { read: 'anyone' } } },
    })
    const hint = async (path: string, headers: Record<string, string> = {}) =>
      (await api.fetch(path, { headers })).headers.get('X-Mock-Hint')
    expect(await hint('/salarie')).toBeNull()
    expect(await hint('/api/salaries')).toBeNull()
    expect(await hint('/post')).toBe('nearest: /posts')
    expect(await hint('/salarie', { 'X-Mock-User': 'ada@example.com' })).toBe('nearest: /salaries')
  })

  it('has a header that any name fits into', async () => {
    const { api } = await openLogged({ data: { cafés: [] } })
    const response = await api.fetch(`/cafes`)
    expect(response.headers.get('X-Mock-Hint')).toBe(`nearest: /${encodeURIComponent('cafés')}`)
  })
})

it('a permissions file of json-server-auth as routes is told what to write instead', async () => {
  const routes = join(await mkdtemp(join(tmpdir(), 'restable-')), 'routes.json')
  await writeFile(routes, JSON.stringify({ '/api/*': '/$1', users: 600, posts: '644' }))
  await expect(open({ data: data(), routes })).rejects.toThrow(
    `${routes}: "users": 600 is a permission of json-server-auth, not a rewrite rule. Write in the config instead: ` +
      '"middlewares": ["accounts"], "resources": {"users":{"access":600},"posts":{"access":"644"}}',
  )
})
