import { connect } from 'node:net'
import type { RequestHandler } from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { devLog, logger } from '../../../src/core/layers/logger.ts'
import { echo } from '../../support/http/echo.ts'
import { exchange } from '../../support/http/exchange.ts'
import { expressVersions } from '../../support/http/guarded.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** The log of a layer, and a promise of its first line. */
function page() {
  const lines: string[] = []
  return { lines, print: (text: string) => lines.push(...text.split('\n')) }
}

describe.each(expressVersions)('logger in %s', (_, make) => {
  it('writes time, method, URL, status, milliseconds and client of each request', async () => {
    const { lines, print } = page()
    const { port } = await echo([logger({ print })], make)
    await exchange(port, { method: 'GET', path: '/products?_page=1' })
    await exchange(port, { method: 'PUT', path: '/products/1' })

    await vi.waitFor(() => expect(lines).toHaveLength(2))
    const line = /^(\S+) GET \/products\?_page=1 200 \d+\.\d ms (?:::ffff:)?127\.0\.0\.1$/.exec(
      lines[0] ?? '',
    )
    expect(new Date(line?.[1] ?? '').toISOString()).toBe(line?.[1])
    expect(lines[1]).toContain(' PUT /products/1 200 ')
  })

  it('prints simultaneous lines together', async () => {
    const pages: string[] = []
    const print = (page: string) => pages.push(page)
    const { port } = await echo([logger({ print })], make)
    await Promise.all(
      Array.from({ length: 10 }, (_row, i) => exchange(port, { method: 'GET', path: `/${i}` })),
    )
    await vi.waitFor(() => expect(pages.join('\n').split('\n')).toHaveLength(10))
    expect(pages.length).toBeLessThan(10)
  })
})

describe.each([
  ['logger', logger],
  ['devLog', devLog],
])('%s', (_, layer) => {
  it.each([
    ['?api_key=s3cret&a=1', '?api_key=***&a=1'],
    ['?apiKey=s3cret', '?apiKey=***'],
    ['?key=s3cret', '?key=***'],
    ['?token=s3cret', '?token=***'],
    ['?access_token=s3cret', '?access_token=***'],
    ['?a=1&user[password]=s3cret', '?a=1&user[password]=***'],
    ['?%74oken=s3cret', '?%74oken=***'],
    ['?client_secret=a=s3cret', '?client_secret=***'],
    ['?TOKEN=s3cret?token=s3cret', '?TOKEN=***'],
    ['?name=key&_sort=token&q', '?name=key&_sort=token&q'],
    ['?%zz=1', '?%zz=1'],
  ])('writes %s as %s', async (query, wanted) => {
    vi.stubEnv('NODE_ENV', 'development')
    const { lines, print } = page()
    const { port } = await echo([layer({ print })])
    await exchange(port, { method: 'GET', path: `/x${query}` })
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(lines[0]).toContain(` /x${wanted} `.replace(/^ /, layer === logger ? 'GET ' : ''))
    expect(lines[0]).not.toContain('s3cret')
  })

  it('lets no control character of a URL into the log', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    vi.stubEnv('NO_COLOR', '1')
    const { lines, print } = page()
    const rewrite: RequestHandler = (req, _res, next) => {
      req.originalUrl = '/a\x9b31mred\r\n2026 GET /forged\x1b[2J\u2028?x=%1b%0a'
      next()
    }
    const { port } = await echo([rewrite, layer({ print })])
    await exchange(port, { method: 'GET', path: '/' })
    await vi.waitFor(() => expect(lines).toHaveLength(1))

    expect(lines[0]).toContain('/a\\x9b31mred\\x0d\\x0a2026 GET /forged\\x1b[2J\\x2028?x=%1b%0a')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the question.
    expect(lines[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  it('refuses invalid options', () => {
    expect(() => Reflect.apply(layer, undefined, [{ prnt: () => {} }])).toThrow(ConfigError)
    expect(() => Reflect.apply(layer, undefined, [{ print: 'stdout' }])).toThrow(ConfigError)
  })
})

it('refuses options that it does not have', () => {
  expect(() => Reflect.apply(logger, undefined, [{ prnt: () => {} }])).toThrow('logger.prnt is not an option')
  expect(() => Reflect.apply(logger, undefined, [{ print: 'stdout' }])).toThrow(
    'logger.print must be a function',
  )
})

describe('a client that leaves', () => {
  it.each([
    ['before it is answered', 'after the log'],
    ['before it came to the log', 'before the log'],
  ])('is in the log with its address: %s', async (_case, place) => {
    const { lines, print } = page()
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const wait: RequestHandler = (_req, res, next) => {
      res.once('close', () => setImmediate(next))
      arrive()
    }
    const note: RequestHandler = (req, _res, next) => {
      expect(req.socket.remoteAddress).toBeDefined()
      next()
    }
    const layers = place === 'after the log' ? [logger({ print }), wait] : [note, wait, logger({ print })]
    const { port } = await echo(layers)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived
    socket.destroy()
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(lines[0]).toMatch(/ GET \/slow - \d+\.\d ms (?:::ffff:)?127\.0\.0\.1$/)
  })
})

describe('devLog', () => {
  it.each([
    ['colored', '', /^GET \/x \S\[32m200\S\[0m \d+\.\d{3} ms - \d+$/],
    ['plain with NO_COLOR', '1', /^GET \/x 200 \d+\.\d{3} ms - \d+$/],
  ])('is %s', async (_case, noColor, wanted) => {
    vi.stubEnv('NODE_ENV', 'development')
    vi.stubEnv('NO_COLOR', noColor)
    const { lines, print } = page()
    const { port } = await echo([devLog({ print })])
    await exchange(port, { method: 'GET', path: '/favicon.ico' })
    await exchange(port, { method: 'GET', path: '/x' })
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(lines[0]).toMatch(wanted)
  })

  it('says nothing under NODE_ENV=test', async () => {
    vi.stubEnv('NODE_ENV', 'test')
    const [dev, all] = [page(), page()]
    const { port } = await echo([devLog({ print: dev.print }), logger({ print: all.print })])
    await exchange(port, { method: 'GET', path: '/x' })
    await vi.waitFor(() => expect(all.lines).not.toEqual([]))
    expect(dev.lines).toEqual([])
  })
})
