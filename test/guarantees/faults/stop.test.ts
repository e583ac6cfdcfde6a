import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { Ledger } from '../../support/faults/ledger.ts'
import { Storm } from '../../support/faults/storm.ts'
import { folderOf } from '../../support/folder.ts'
import { dial } from '../../support/http/sockets.ts'

const IN_FLIGHT = 20

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s in a storm of writes loses nothing that was confirmed, answers requests in flight, and exits with 0',
  { timeout: 60_000 },
  async (signal) => {
    const home = folderOf({ 'db.json': { items: [] } })
    const ledger = new Ledger()
    const server = await serveHome(home)
    const storm = new Storm(server, ledger, { seed: 7 })
    await storm.answered(50)
    const halfway = await Promise.all(
      Array.from({ length: IN_FLIGHT }, (_, n) => beginWrite(server, `${signal} ${n}`)),
    )
    for (const { key } of halfway) ledger.ask({ [key]: { key } })

    const ended = server.stop(signal)
    for (const { socket, body } of halfway) socket.write(body)
    for (const { answer, key } of halfway) {
      expect(await answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*connection: close/i)
      ledger.confirm(key)
    }
    expect(await ended).toBe(0)
    await storm.end()
    expect(new Set(storm.answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
    ledger.check(await saved(home))
  },
)

/** A write whose headers have arrived, as the server reports, but not its body. */
async function beginWrite({ port }: RealServer, key: string) {
  const body = JSON.stringify({ key })
  const socket: Socket = await dial(port)
  const head = ['POST /items HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  socket.write(`${[...head, `Content-Length: ${body.length}`, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`)
  const [word] = await once(socket, 'data')
  expect(String(word)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  return { socket, key, body, answer: text(socket) }
}
