import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { folderOf } from '../support/folder.ts'

// Real processes on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 })

/** A project that has this package, under both names, and finds the same Express as it. */
const FILES: Readonly<Record<string, string>> = {
  /** What a program can see of an Express of its own, at any moment. */
  'look.cjs': `
    const express = require('express')
    const http = require('node:http')
    const PATHS = ['/x/*', '*', '/:id?', '/a(b)?', '/ok/:id', '/lit|eral']
    const seen = [express, express.application, express.request, express.response, express.Router,
      express.Router.prototype, express.Route.prototype, http.IncomingMessage.prototype,
      http.ServerResponse.prototype, http.Server.prototype]
    exports.look = () => seen.map((one) => [Object.getPrototypeOf(one), Object.getOwnPropertyDescriptors(one)])
    exports.refusals = () => PATHS.map((path) => {
      try {
        express.Router().all(path, () => {})
        express().use(path, () => {})
        return path + ' is read'
      } catch (error) {
        return path + ': ' + error.message
      }
    })
    const answerOf = (req, res) => {
      const found = { query: req.query, body: typeof req.body, kept: req.query === req.query, param: typeof req.param }
      try {
        req.query = {}
        found.set = req.query
      } catch (error) {
        found.set = error.message
      }
      return found
    }
    exports.answers = async () => {
      const app = express()
      app.post('/query', (req, res) => res.json(answerOf(req, res)))
      app.get('/lit|eral', (req, res) => res.json('literal'))
      app.get('/number', (req, res) => res.send(401))
      app.get('/none', (req, res, next) => next())
      const server = app.listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const base = 'http://127.0.0.1:' + server.address().port
      const ask = async (path, method = 'GET') => {
        const response = await fetch(base + path, { method })
        return [response.status, response.headers.get('x-powered-by'), await response.text()]
      }
      const found = [await ask('/query?a[b]=1&c=2&c=3', 'POST'), await ask('/lit|eral'), await ask('/eral'), await ask('/number'), await ask('/none')]
      server.close()
      return found
    }
  `,
  'watch.mjs': `
    import { createRequire } from 'node:module'
    import { isDeepStrictEqual } from 'node:util'
    import { answers, look, refusals } from './look.cjs'
    const require = createRequire(import.meta.url)
    const before = look()
    const seen = []
    for (const act of (await import('./acts.mjs')).default) {
      await act(require)
      const refused = refusals()
      await new Promise(setImmediate)
      seen.push({ isSame: isDeepStrictEqual(look(), before), refused, later: refusals(), answers: await answers() })
    }
    console.log(JSON.stringify(seen))
    process.exit()
  `,
  'node_modules/made-for-json-server/package.json': '{ "main": "lib/index.js" }',
  // As json-server-auth does it: a router in a file that requires json-server, and one in a file that does not.
  'node_modules/made-for-json-server/lib/index.js':
    "module.exports = [require('./guards'), require('./users')]",
  'node_modules/made-for-json-server/lib/guards.js': `
    const { Router } = require('express')
    require('json-server')
    module.exports = Router().all('/600/*', (req, res, next) => { req.url = '/' + req.params[0]; next() })
  `,
  'node_modules/made-for-json-server/lib/users.js': `
    const { Router } = require('express')
    module.exports = Router().get('/users|people', (req, res) => res.json('users'))
  `,
  'node_modules/cannot-be-loaded/index.js': "require('json-server'); throw new Error('no')",
  'middleware.cjs': "module.exports = require('express').Router().all('/x/*', (req, res, next) => next())",
  'slow.mjs': `
    import express from 'express'
    await new Promise(setImmediate)
    export default express.Router().all('/x/*', (req, res, next) => next())
  `,
  'broken.cjs': "throw new Error('no')",
}

let project: string

beforeAll(async () => {
  project = folderOf()
  for (const [file, content] of Object.entries(FILES)) await write(file, content)
  for (const name of ['restable', 'json-server'])
    await symlink(resolve('.'), join(project, 'node_modules', name))
  await symlink(resolve('node_modules/express'), join(project, 'node_modules/express'))
})

async function write(file: string, content: string): Promise<void> {
  const path = join(project, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function run(file: string): Promise<unknown> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: project })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** What a program sees of its own Express each time that it did something. */
async function seenAfter(...acts: readonly string[]): Promise<readonly unknown[]> {
  const bodies = acts.map((body) => `async (require) => { ${body} }`)
  await write('acts.mjs', `export default [${bodies.join(', ')}]`)
  const seen = await run('watch.mjs')
  return Array.isArray(seen) ? seen : []
}

/** What is done one after another in one program. How the package comes to be loaded matters, so there are several. */
const PROGRAMS = [
  [
    ['this package is imported', "await import('restable')"],
    [
      'an app was created, with paths of Express 4',
      "const { create } = await import('restable'); create().get('/x/*', () => {}).use('/y*', () => {})",
    ],
    [
      'a server ran with middleware files',
      "const { start } = await import('restable'); const middlewares = ['slow.mjs', 'middleware.cjs', 'slow.mjs']; await (await start({ data: {}, middlewares })).close()",
    ],
    [
      'a server did not start, for a middleware file that cannot be loaded',
      "const { start } = await import('restable'); await start({ data: {}, middlewares: ['middleware.cjs', 'broken.cjs'] }).catch(() => {})",
    ],
  ],
  [
    ['this package is required', "require('restable')"],
    ['it is required again under another name', "require('json-server/lib/server/router')"],
    ['such a package could not be loaded', "try { require('cannot-be-loaded') } catch {}"],
  ],
  [['a package made for json-server was loaded', "require('made-for-json-server')"]],
  [['such a package was loaded after this one', "require('json-server'); require('made-for-json-server')"]],
  [['such a package was imported', "await import('json-server'); await import('made-for-json-server')"]],
] as const

describe("a program's own Express", () => {
  let alone: unknown
  const seen = new Map<string, unknown>()
  beforeAll(async () => {
    alone = (await seenAfter(''))[0]
    for (const acts of PROGRAMS) {
      const found = await seenAfter(...acts.map(([, body]) => body))
      for (const [at, [name]] of acts.entries()) seen.set(name, found[at])
    }
  }, 120_000)

  it('refuses the paths of Express 4, which is what the others are compared with', () => {
    expect(alone).toMatchObject({
      isSame: true,
      refused: [
        expect.stringMatching(/^\/x\/\*: Missing parameter name/),
        expect.stringMatching(/^\*: /),
        expect.stringMatching(/^\/:id\?: /),
        expect.stringMatching(/^\/a\(b\)\?: /),
        '/ok/:id is read',
        '/lit|eral is read',
      ],
    })
  })

  it.each(PROGRAMS.flat().map(([name]) => name))('is unchanged after %s', (name) => {
    expect(seen.get(name)).toEqual(alone)
  })
})

describe('a package made for json-server, whose routers have paths of Express 4', () => {
  const REST = `
    // In the same turn of the event loop.
    const isReadForUs = isRead()
    const app = jsonServer.create()
    app.use(made)
    app.use(jsonServer.router({ posts: [{ id: 1 }] }))
    const server = app.listen(0, '127.0.0.1', async () => {
      const base = 'http://127.0.0.1:' + server.address().port
      const ask = async (path) => (await fetch(base + path)).json()
      const found = [await ask('/600/posts/1'), await ask('/users'), await ask('/people'), isReadForUs]
      console.log(JSON.stringify(found))
      process.exit()
    })
    function isRead() {
      try {
        express.Router().all('/x/*', () => {})
        return true
      } catch {
        return false
      }
    }
  `

  it.each([
    [
      'required after us',
      'server.cjs',
      "const jsonServer = require('json-server'); const made = require('made-for-json-server'); const express = require('express')",
    ],
    [
      'required before us',
      'server.cjs',
      "const made = require('made-for-json-server'); const jsonServer = require('json-server'); const express = require('express')",
    ],
    [
      'imported after us',
      'server.mjs',
      "import jsonServer from 'json-server'; import made from 'made-for-json-server'; import express from 'express'",
    ],
    [
      'imported before us',
      'server.mjs',
      "import made from 'made-for-json-server'; import jsonServer from 'json-server'; import express from 'express'",
    ],
  ])('works when it is %s', async (_, file, imports) => {
    await write(file, imports + REST)
    expect(await run(file)).toEqual([{ id: 1 }, 'users', 'users', false])
  })
})
