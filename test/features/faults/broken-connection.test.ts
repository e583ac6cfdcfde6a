import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type RunningServer, type StartOptions, start } from '../../../src/index.ts'
import { serve } from '../../support/http/serve.ts'

type Rule = NonNullable<NonNullable<StartOptions['faults']>['rules']>[number]

const posts = Array.from({ length: 200 }, (_, id) => ({ id, title: `Post ${id}` }))

function serveFault(rule: Rule, options: StartOptions = {}) {
  return serve({ data: structuredClone({ posts }), faults: { rules: [rule] }, ...options })
}

/** Sends bytes and collects what comes back until the connection ends, and how. */
function talk({ port }: RunningServer, text: string): Promise<{ bytes: Buffer; end: string }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve({ bytes: Buffer.concat(chunks), end: 'closed' }))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ bytes: Buffer.concat(chunks), end: error.code ?? '' }),
    )
  })
}

const GET = 'GET /posts HTTP/1.1\r\nHost: localhost\r\n'

describe('a connection', () => {
  it.each([
    ['reset', 'ECONNRESET'],
    ['empty', 'closed'],
  ] as const)('that is to %s ends with %s, and without a byte', async (fault, end) => {
    const server = await serveFault({ fault })
    expect(await talk(server, `${GET}\r\n`)).toEqual({ bytes: Buffer.alloc(0), end })
    const post = `POST /posts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n${' '.repeat(100_000)}`
    expect(await talk(server, post)).toEqual({ bytes: Buffer.alloc(0), end })
    expect(server.count('posts')).toBe(200)
  })

  it.each([
    ['that stays open', `${GET}\r\n`],
    ['that the client wants closed', `${GET}Connection: close\r\n\r\n`],
    ['of HTTP/1.0', 'GET /posts HTTP/1.0\r\n\r\n'],
    [
      'with others in front and behind',
      `GET /posts/1?_delay=100 HTTP/1.1\r\nHost: localhost\r\n\r\n${GET}\r\n${GET}\r\n`,
    ],
  ])('%s and is cut carries half of the bytes that were announced', async (_, request) => {
    const server = await serveFault({ fault: 'truncate', times: 1, match: { path: '/posts' } })
    const { bytes, end } = await talk(server, request)
    const cut = { bytes: bytes.subarray(bytes.lastIndexOf('HTTP/1.1')), end }
    const whole = await talk(server, `${GET}Connection: close\r\n\r\n`)
    const [head = '', body = ''] = split(cut.bytes)
    const [, all = ''] = split(whole.bytes)
    expect(cut.end).toBe('closed')
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(all))
    expect(body).toBe(all.slice(0, Math.floor(all.length / 2)))
  })

  it('that is cut carries half of the compressed bytes, and no end of them', async () => {
    const server = await serveFault({ fault: 'truncate' })
    const { bytes } = await talk(server, `${GET}Accept-Encoding: gzip\r\n\r\n`)
    const gap = bytes.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(bytes.subarray(0, gap).toString())?.[1])
    const body = bytes.subarray(gap + 4)
    expect(body.length).toBe(Math.floor(length / 2))
    expect(() => gunzipSync(body)).toThrow('unexpected end of file')
  })

  it('that is cut has seen the request run: what it wrote is there', async () => {
    const server = await serveFault({ fault: 'truncate' })
    const body = '{"title":"new"}'
    const head = `POST /posts HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n`
    const { bytes } = await talk(server, `${head}Content-Type: application/json\r\n\r\n${body}`)
    expect(bytes.toString()).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 Created/)
    expect(bytes.toString()).not.toContain('}')
    expect(server.count('posts')).toBe(201)
  })

  it('breaks when it is the turn of the request, not before: others may come first on it', async () => {
    const server = await serveFault({ fault: 'empty', match: { method: 'DELETE' } })
    const { bytes, end } = await talk(
      server,
      'GET /posts/1?_delay=100 HTTP/1.1\r\nHost: localhost\r\n\r\nDELETE /posts/1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    )
    expect(bytes.toString()).toContain('"title": "Post 1"')
    expect(end).toBe('closed')
    expect(server.count('posts')).toBe(200)
  })

  it.each(['reset', 'empty', 'hang'] as const)('can break after the write: %s', async (fault) => {
    const server = await serveFault({ fault, when: 'after', match: { method: 'POST' } })
    const failed = fetch(`${server.url}/posts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"id":"order-1"}',
      signal: AbortSignal.timeout(fault === 'hang' ? 500 : 20_000),
    })
    await expect(failed).rejects.toThrow()
    expect((await fetch(`${server.url}/posts/order-1`)).status).toBe(200)
  })

  it('that hangs ends with the server, which need not wait for it', async () => {
    const server = await start({ data: { posts }, faults: { rules: [{ fault: 'hang' }] } })
    const hanging = talk(server, `${GET}\r\n`)
    await expect.poll(async () => hits(server)).toBe(1)
    const from = performance.now()
    await server.close()
    expect(performance.now() - from).toBeLessThan(4000)
    expect((await hanging).bytes).toHaveLength(0)
  })

  it('shows in the log and on the page as what it was', async () => {
    const server = await serveFault({ fault: 'empty' })
    const events = await fetch(`${server.url}/__events`)
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    await talk(server, `${GET}\r\n`)
    let text = ''
    while (!text.includes('event: request')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    expect(text).toContain('"status":0')
    expect(text).toContain('"layer":"faults"')
  })
})

function split(bytes: Buffer): readonly string[] {
  const text = bytes.toString()
  const gap = text.indexOf('\r\n\r\n')
  return [text.slice(0, gap), text.slice(gap + 4)]
}

async function hits(server: RunningServer): Promise<number> {
  const { rules }: { rules: { hits: number }[] } = JSON.parse(
    await (await fetch(`${server.url}/__faults`)).text(),
  )
  return rules[0]?.hits ?? 0
}
