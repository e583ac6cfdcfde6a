import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express, { type RequestHandler } from 'express'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type DefaultsOptions, defaults } from '../../src/serve/defaults.ts'
import { folderOf } from '../support/folder.ts'
import { echo } from '../support/http/echo.ts'
import { type Answer, type Ask, exchange } from '../support/http/exchange.ts'
import { expressVersions } from '../support/http/guarded.ts'

interface JsonServer {
  defaults(options: object): unknown[]
}

const jsonServer: JsonServer = createRequire(import.meta.url)('json-server')
const [, [, express4]] = expressVersions

let folder = ''

beforeAll(() => {
  folder = folderOf({ 'page.html': '<h1>page</h1>' })
})

/** Answers as the router does: JSON, with an ETag of Express's own. */
const api: RequestHandler = (req, res, next) => {
  if (req.path === '/big') res.json({ text: 'x'.repeat(5_000) })
  else if (req.path === '/small') res.json({ text: 'x' })
  else next()
}

async function compare(options: object, ask: Ask): Promise<{ theirs: Answer; ours: Answer }> {
  const theirs = await echo([...jsonServer.defaults({ static: folder, ...options }), api], express4)
  const ours = await echo([...defaults({ static: folder, ...options }), api])
  return { theirs: await exchange(theirs.port, ask), ours: await exchange(ours.port, ask) }
}

const COMPARED = [
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'cache-control',
  'content-encoding',
  'content-length',
  'etag',
  'expires',
  'pragma',
  'transfer-encoding',
  'vary',
]

function compared({ status, headers, body }: Answer) {
  return { status, body, headers: COMPARED.map((name) => `${name}: ${headers[name]}`) }
}

describe('defaults, where json-server 0.17.4 agrees', () => {
  const gzip = { 'accept-encoding': 'gzip' }
  const origin = { origin: 'http://page.test' }
  const preflight = {
    ...origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'x-api-key, content-type',
  }
  it.each<[string, object, Ask]>([
    ['a big answer, zipped', {}, { method: 'GET', path: '/big', headers: gzip }],
    ['a big answer to a client without gzip', {}, { method: 'GET', path: '/big' }],
    ['a small answer', {}, { method: 'GET', path: '/small', headers: gzip }],
    ['a big answer to HEAD', {}, { method: 'HEAD', path: '/big', headers: gzip }],
    ['a small answer to HEAD', {}, { method: 'HEAD', path: '/small', headers: gzip }],
    ['no gzip', { noGzip: true }, { method: 'GET', path: '/big', headers: gzip }],
    ['another origin', {}, { method: 'GET', path: '/small', headers: origin }],
    ['a preflight', {}, { method: 'OPTIONS', path: '/small', headers: preflight }],
    ['no cross-origin handling', { noCors: true }, { method: 'GET', path: '/small', headers: preflight }],
    ['a whole page', {}, { method: 'GET', path: '/page.html' }],
    ['read-only', { readOnly: true }, { method: 'GET', path: '/small' }],
    ['whatever Accept says', {}, { method: 'GET', path: '/small', headers: { accept: 'text/html' } }],
  ])('answers alike: %s', async (_case, options, ask) => {
    const { theirs, ours } = await compare(options, ask)
    expect(compared(ours)).toEqual(compared(theirs))
  })

  it.each(['/big', '/small'])('answers 304 alike for %s', async (path) => {
    const first = await compare({}, { method: 'GET', path, headers: gzip })
    const ask = { method: 'GET', path, headers: { ...gzip, 'if-none-match': first.ours.headers.etag ?? '' } }
    const { theirs, ours } = await compare({}, ask)
    expect(ours).toMatchObject({ status: 304, body: '' })
    expect(compared(ours)).toEqual(compared(theirs))
  })
})

describe('defaults', () => {
  const home: RequestHandler = (req, res, next) => {
    if (req.path === '/') res.send('home')
    else next()
  }

  it.each<[string, DefaultsOptions, string]>([
    ['the home page where there is no folder', { static: join(tmpdir(), 'restable-no-such-folder') }, 'home'],
    ['the home page where the folder has none', {}, 'home'],
  ])('shows %s', async (_case, options, wanted) => {
    const { port } = await echo(defaults({ static: folder, home, ...options }))
    expect((await exchange(port, { method: 'GET', path: '/' })).body).toBe(wanted)
  })

  it("prefers the folder's own home page", async () => {
    const own = folderOf({ 'index.html': 'mine' })
    const { port } = await echo(defaults({ static: own, home }))
    expect((await exchange(port, { method: 'GET', path: '/' })).body).toBe('mine')
    await rm(own, { recursive: true })
  })

  it('mounts nothing that hits the disk if there is no folder', () => {
    const [withFolder, withoutFolder, withFile] = [
      folder,
      join(folder, 'nowhere'),
      join(folder, 'page.html'),
    ].map((path) => defaults({ static: path }).length)
    expect(withoutFolder).toBe((withFolder ?? 0) - 1)
    expect(withFile).toBe(withoutFolder)
  })

  it.each(['POST', 'DELETE'])('refuses %s when read-only, in JSON', async (method) => {
    const { port, seen } = await echo(defaults({ readOnly: true }))
    const answer = await exchange(port, { method, path: '/products' })
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.body).code).toBe('READ_ONLY')
    expect(seen).toEqual([])
  })

  it.each([
    [true, { a: 1 }],
    [false, undefined],
  ])('reads bodies when bodyParser is %s', async (bodyParser, wanted) => {
    const { port, seen } = await echo(defaults({ bodyParser }))
    const headers = { 'content-type': 'application/json' }
    await exchange(port, { method: 'POST', path: '/', body: '{"a":1}', headers })
    expect(seen[0]?.body).toEqual(wanted)
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('with logger %s logs %i line', async (logger, count) => {
    vi.stubEnv('NODE_ENV', 'development')
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    const { port } = await echo(defaults({ logger, print }))
    await exchange(port, { method: 'GET', path: '/products' })
    await vi.waitFor(() => expect(lines).toHaveLength(count))
    vi.unstubAllEnvs()
  })

  it('is what app.use() takes', () => {
    expect(() => express().use(defaults({ noGzip: true, noCors: true, logger: false }))).not.toThrow()
  })
})
