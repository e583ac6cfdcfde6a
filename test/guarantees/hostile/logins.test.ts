import { hashSync } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endRealServers } from '../../support/child/real-server.ts'
import { dial } from '../../support/http/sockets.ts'
import { LONGEST_WAIT, othersWait } from '../../support/hostile/others-wait.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'

const DATA = {
  users: [
    { id: 1, email: 'ada', password: hashSync('lovelace', 10) },
    { id: 2, email: 'bob', password: 'builder' },
  ],
}

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA, { config: { middlewares: ['jwt'] } })
})

afterAll(endRealServers)

const login = async (email: string, password: string) =>
  (await victim.ask('POST', '/login', { email, password })).status

describe('logins', () => {
  const KINDS = [
    { email: 'ada', password: 'lovelace', status: 200 },
    { email: 'ada', password: 'wrong', status: 401 },
    { email: 'eve', password: 'unknown', status: 401 },
    { email: 'bob', password: 'builder', status: 200 },
  ]

  it('keep nobody waiting, however many arrive together, and all get their response', {
    timeout: 90_000,
  }, async () => {
    const wait = await othersWait(victim, async () => {
      // Checked one after another in its own thread, they would hold the server for more than two seconds.
      const all = Array.from({ length: 8 }, () => KINDS).flat()
      await Promise.all(
        all.map(async ({ email, password, status }) => expect(await login(email, password)).toBe(status)),
      )
    })
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })

  it('beyond the limit are told to retry, and those whose clients left make room', async () => {
    const body = JSON.stringify({ email: 'ada', password: 'x' })
    const head = `POST /login HTTP/1.1\r\nHost: x\r\nOrigin: http://page.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    const sockets = await Promise.all(Array.from({ length: 260 }, () => dial(victim.port)))
    const refused = new Promise<string>((resolve) => {
      for (const socket of sockets) {
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => String(chunk).includes(' 503 ') && resolve(String(chunk)))
        socket.write(`${head}\r\n\r\n${body}`)
      }
    })
    expect(await refused).toMatch(/Retry-After: 5[\s\S]*"code": "SERVER_BUSY"/)
    expect(await refused).toMatch(/Access-Control-Expose-Headers: .*Retry-After/)
    for (const socket of sockets) socket.destroy()
    // Two hundred would take more than ten seconds.
    await expect.poll(() => login('ada', 'lovelace'), { timeout: 8000 }).toBe(200)
    expect(await victim.stop('SIGTERM')).toBe(0)
  })
})
