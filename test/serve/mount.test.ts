import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { start } from '../../src/serve/start.ts'
import { folderOf } from '../support/folder.ts'

let folder: string
let routes: string
let file: string

beforeEach(async () => {
  folder = folderOf()
  routes = join(folder, 'routes.json')
  file = join(folder, 'echo.cjs')
  await writeFile(routes, JSON.stringify({ '/health/*': '/$1', '/*': '/$1' }))
  await writeFile(file, 'module.exports = (req, res, next) => { res.set("x-saw", req.url); next() }')
})

const KEY = { 'x-api-key': 'readonly-client-key-001' }

/** The middlewares, with `file` for a user's file. */
async function ask(middlewares: readonly string[], path: string, headers: Record<string, string> = {}) {
  const listed = middlewares.map((entry) => (entry === 'file' ? file : entry))
  const server = await start({ data: { products: [{ id: 1 }] }, routes, middlewares: listed })
  const answer = await fetch(server.url + path, { headers })
  const body: unknown = await answer.json()
  await server.close()
  return { status: answer.status, saw: answer.headers.get('x-saw'), body }
}

describe.each([
  [['api-key']],
  [['api-key', 'file']],
  [['file', 'api-key']],
  [['file', 'jwt', 'api-key', 'file']],
])('the chain with %j', (middlewares) => {
  it('serves the rules only behind the guard, and unchanged', async () => {
    expect(await ask(middlewares, '/__rules')).toMatchObject({ status: 401 })
    expect(await ask(middlewares, '/health/__rules')).toMatchObject({ status: 404 })
    const rules = { '/health/*': '/$1', '/*': '/$1' }
    expect(await ask(middlewares, '/__rules', KEY)).toMatchObject({ status: 200, body: rules })
  })

  it('judges the URL that was sent, not the rewritten one', async () => {
    expect(await ask(middlewares, '/products')).toMatchObject({ status: 401 })
    expect(await ask(middlewares, '/health/products')).toMatchObject({ status: 200, body: [{ id: 1 }] })
  })
})

it("shows the rewritten URL to the user's files, and nothing that a guard before them refused", async () => {
  expect(await ask(['api-key', 'file'], '/health/products')).toMatchObject({ saw: '/products' })
  expect(await ask(['api-key', 'file'], '/products')).toMatchObject({ saw: null })
})
