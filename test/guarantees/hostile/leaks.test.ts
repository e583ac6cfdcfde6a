import { request } from 'node:http'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { catchConsole } from '../../support/console.ts'
import { serve } from '../../support/http/serve.ts'
import { runs } from '../../support/length.ts'

const NAMES = fc.constantFrom(
  ...[
    'password',
    'newPassword',
    'user_pwd',
    'client_secret',
    'token',
    'accessToken',
    'refresh_token',
    'id-token',
  ],
  ...[
    'apiKey',
    'api_key',
    'x-access-key',
    'privateKey',
    'authorization',
    'credentials',
    'JSESSIONID',
    'x-csrf-token',
  ],
)
const ENCODED = NAMES.map((name) =>
  name.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
)
const ANY_NAME = fc.oneof(NAMES, ENCODED)
const SECRET = fc.stringMatching(/^[a-z]{4}$/).map((text) => `Hush${text}Hush`)

interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const plain: Sent = { path: '/notes', headers: {}, body: '{"a":1}' }

/** Every way a secret can travel, innermost first. */
const carriers: readonly fc.Arbitrary<(secret: string) => Sent>[] = [
  ANY_NAME.map((name) => (secret) => ({ ...plain, path: `/notes?a=1&${name}=${secret}&b=2` })),
  ANY_NAME.map((name) => (secret) => ({ ...plain, path: `/notes?user[${name}]=${secret}` })),
  ANY_NAME.map((name) => (secret) => ({ ...plain, path: `/notes?a=1;${name}=${secret}` })),
  ANY_NAME.map((name) => (secret) => ({ ...plain, path: `/notes;${name}=${secret}/1` })),
  ANY_NAME.map((name) => (secret) => ({
    ...plain,
    path: `/notes?next=${encodeURIComponent(`/x?${name}=${secret}`)}`,
  })),
  NAMES.map((name) => (secret) => ({
    ...plain,
    path: `/notes?f=${encodeURIComponent(JSON.stringify({ [name]: secret }))}`,
  })),
  fc.constant((secret) => ({ ...plain, path: `/notes?url=http://ann:${secret}@host/` })),
  fc.constant((secret) => ({
    ...plain,
    path: `/notes?url=${encodeURIComponent(`https://ann:${secret}@host`)}`,
  })),
  NAMES.map((name) => (secret) => ({ ...plain, headers: { [name]: secret } })),
  fc.constant((secret) => ({ ...plain, headers: { cookie: `a=1; session=${secret}` } })),
  ANY_NAME.map((name) => (secret) => ({
    ...plain,
    headers: { referer: `http://a.test/?${name}=${secret}` },
  })),
  fc.constant((secret) => ({ ...plain, headers: { 'x-forwarded-to': `http://ann:${secret}@host` } })),
  ...[
    (name: string, secret: string) => JSON.stringify({ [name]: secret, a: 1 }),
    (name: string, secret: string) => JSON.stringify([{ deep: { [name]: [secret, { x: secret }] } }]),
    (name: string, secret: string) => JSON.stringify({ text: JSON.stringify({ [name]: secret }) }),
    (name: string, secret: string) => `{"${name}":"${secret}`,
    (name: string, secret: string) => `{${name.replaceAll('-', '_')}:${secret}}`,
    (name: string, secret: string) => `{'${name}': '${secret}', a: 1`,
    (name: string, secret: string) => `${name}=${secret}&a=1`,
    (name: string, secret: string) => `a=1\n${name} = ${secret}\n`,
    (name: string, secret: string) => `a: 1\n${name}: ${secret}\n`,
    (name: string, secret: string) => `<a ${name}="${secret}"><${name}>${secret}</${name}></a>`,
    (name: string, secret: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--b--`,
    (_name: string, secret: string) => JSON.stringify({ url: `postgres://ann:${secret}@db/shop` }),
  ].map((write) =>
    fc
      .tuple(
        NAMES,
        fc.constantFrom(
          ...['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'text/xml', ''],
          ...['multipart/form-data; boundary=b', 'application/vnd.api+json', 'application/octet-stream'],
        ),
      )
      // Parsed as a form, multipart data would mix up names and values.
      .filter(([name, type]) => !(type.includes('urlencoded') && write(name, '').startsWith('--b')))
      .map(([name, type]) => (secret: string) => ({
        ...plain,
        headers: type === '' ? {} : { 'content-type': type },
        body: write(name, secret),
      })),
  ),
]

it('no secret under its name comes into the log or to the page, whatever carries it', async () => {
  const log: string[] = []
  const server = await serve({
    data: { notes: [] },
    middlewares: ['logger'],
    print: (line) => log.push(line),
  })
  const warnings = catchConsole('warn')
  const events = await listen(`${server.url}/__events`)

  let count = 0
  const property = fc.asyncProperty(fc.oneof(...carriers), SECRET, async (carry, secret) => {
    const sent = carry(secret)
    events.text = ''
    await send(server.port, sent)
    count += 1
    await vi.waitFor(() => expect(events.text).toMatch(/event: request\n.*\n\n/), { interval: 2 })
    expect(
      events.text.includes(secret),
      `${JSON.stringify(sent)} is shown as ${events.text.slice(-1500)}`,
    ).toBe(false)
    expect([...log, ...warnings].join('\n').includes(secret), JSON.stringify(sent)).toBe(false)
  })
  await fc.assert(property, { ...runs(200, 5000), endOnFailure: true })
  await vi.waitFor(() => expect(log.join('\n').match(/ POST /g)).toHaveLength(count))
})

async function listen(url: string): Promise<{ text: string }> {
  const heard = { text: '' }
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { body } = await fetch(url, { signal: stop.signal })
  const decoder = new TextDecoder()
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      heard.text += decoder.decode(chunk, { stream: true })
    },
  })
  body?.pipeTo(sink).catch(() => undefined)
  return heard
}

function send(port: number, { path, headers, body }: Sent): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (answer) =>
      answer.resume().once('end', resolve),
    )
    outgoing.once('error', reject).end(body)
  })
}
