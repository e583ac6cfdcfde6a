import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { folderOf } from '../../support/folder.ts'
import { type Answer, exchange } from '../../support/http/exchange.ts'
import { ADA, BOB, members } from '../../support/http/members.ts'
import { runs } from '../../support/length.ts'
import { PASSWORDS, type RandomAsk, randomAsk, randomRead } from './random-asks.ts'

/*
 * Whatever is asked, in whatever order: no password and no hash is in an answer, in a line of the log, or in the events that
 * the page shows.
 */

const CLIENTS = { nobody: undefined, user: BOB.email, admin: ADA.email }

function dataWith(hash: string, plain: string): object {
  return {
    users: [
      { ...ADA, password: hash },
      { ...BOB, password: plain },
    ],
    posts: [
      { id: 1, title: 'one', userId: 1 },
      { id: 2, title: 'two', userId: 2 },
    ],
    comments: [{ id: 1, postId: 1, userId: 2 }],
  }
}

async function serveSecrets(data: object, isOpen: boolean) {
  const snapshots = folderOf()
  const served = await members(
    {
      accounts: { persona: true },
      foreignKeySuffix: 'Id',
      cascade: true,
      snapshots,
      resources: isOpen
        ? {
            users: {
              access: {
                read: 'anyone',
                create: 'role:admin',
                update: ['owner', 'role:admin'],
                delete: 'owner',
              },
            },
          }
        : { users: {} },
    },
    data,
  )
  const { body } = await served.ask('POST', '/__snapshots__', {}, { 'x-mock-user': ADA.email })
  const send = ({ who, method, path, body: sent, headers }: RandomAsk): Promise<Answer> => {
    const client = CLIENTS[who]
    return exchange(served.server.port, {
      method,
      path: path.replace('{snapshot}', body.id),
      headers: { ...headers, ...(client && { 'x-mock-user': client }) },
      ...(sent !== undefined && { body: sent }),
    })
  }
  return { ...served, send }
}

/** What the page would hear of. */
async function listen(url: string) {
  const ended = new AbortController()
  const { body } = await fetch(`${url}/__events`, {
    headers: { 'x-mock-user': ADA.email },
    signal: ended.signal,
  })
  let [text, isOver] = ['', false]
  const reading = (async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
    isOver = true
  })().catch(() => undefined)
  onTestFinished(async () => {
    ended.abort()
    await reading
  })
  return { text: () => text, hasAll: () => isOver || text.includes('the=end') }
}

/** A hash, its salt and the rest, and the beginning of each: none of them is elsewhere by chance. */
function piecesOf(hash: string): string[] {
  const [salt, rest] = [hash.slice(7, 29), hash.slice(29)]
  return [hash, salt, rest, salt.slice(0, 10), rest.slice(0, 10)]
}

it('no password leaves the server, whatever is asked', async () => {
  let shown = 0
  const play = async (isOpen: boolean, asks: readonly RandomAsk[]) => {
    const { server, send, lines, stored } = await serveSecrets(dataWith(ADA.password, BOB.password), isOpen)
    const events = await listen(server.url)
    const secrets = new Set([...PASSWORDS, '$2b$', ...piecesOf(ADA.password)])
    const expectNone = (text: string, where: string, known = '') => {
      for (const secret of secrets) {
        const isThere = text.includes(secret) || decoded(text).includes(secret)
        if (isThere && !known.includes(secret)) throw new Error(`${secret} is in ${where}: ${text}`)
      }
    }
    for (const ask of asks) {
      const { status, headers, body } = await send(ask)
      for (const { password } of stored().users ?? []) {
        if (String(password).startsWith('$2')) for (const piece of piecesOf(password)) secrets.add(piece)
      }
      if (status < 300 && body.includes(ADA.email)) shown++
      // Links to other pages, and plans, repeat what the client itself put into its URL.
      expectNone(`${JSON.stringify(headers)}\n${body}`, 'the answer', decoded(ask.path))
    }
    // Events come in order: after the last one, all have come. The stream ends early if the listener's login does.
    await send({ who: 'nobody', method: 'GET', path: '/posts?the=end', headers: {} })
    await vi.waitFor(() => expect(events.hasAll()).toBe(true), { timeout: 20_000 })
    expectNone(lines.join('\n'), 'the log')
    expectNone(events.text(), 'the events')
  }
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(randomAsk, { minLength: 20, maxLength: 60 }), play),
    runs(6),
  )
  // Users were there to be seen.
  expect(shown).toBeGreaterThan(5)
})

/** As a page, or a shell, would read it. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-7][0-9a-f])+/gi, (part) => decodeURIComponent(part))
}

it('no answer depends on a password', async () => {
  const other = ADA.password.split('').toReversed().join('')
  const one = await serveSecrets(dataWith(ADA.password, BOB.password), true)
  const two = await serveSecrets(dataWith(`$2b$04$${other.slice(0, 53)}`, 'a plain one'), true)
  await fc.assert(
    fc.asyncProperty(randomRead, async (ask) => {
      const [first, second] = await Promise.all([one.send(ask), two.send(ask)])
      expect(comparable(first, ask.path, one.server.port)).toEqual(
        comparable(second, ask.path, two.server.port),
      )
    }),
    runs(150),
  )
})

/** Without what differs from server to server, and from second to second. */
function comparable({ status, headers, body }: Answer, path: string, port: number): unknown {
  const { date: _, ...rest } = headers
  if (path.includes('_explain')) return { status, body: body.replace(/"ms": [\d.]+/, '') }
  const text = JSON.stringify({ status, headers: rest, body })
  return text.replaceAll(String(port), 'port')
}
