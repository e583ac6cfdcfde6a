import { hashSync } from 'bcryptjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { dial } from '../../support/http/sockets.ts'

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

const login = async (email: string, password: string) =>
  (await victim.ask('POST', '/login', { email, password })).status

describe('logins', () => {
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

describe('logins of accounts', () => {
  it('take as long for an unknown user as for a known one', { timeout: 60_000 }, async () => {
    const { ask } = await attack(DATA, { config: { middlewares: ['accounts'] } })
    const timed = async (email: string) => {
      const start = performance.now()
      for (let times = 0; times < 3; times++) await ask('POST', '/login', { email, password: 'wrong' })
      return performance.now() - start
    }
    await timed('ada')
    const [known, unknown, plain] = [await timed('ada'), await timed('nobody'), await timed('bob')]
    // Without a hash to compare with, it would be a hundredth.
    expect(unknown).toBeGreaterThan(known / 4)
    expect(plain).toBeGreaterThan(known / 4)
  })
})
