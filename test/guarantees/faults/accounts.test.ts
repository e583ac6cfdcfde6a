import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'

const config = { middlewares: ['accounts'], accounts: { secret: 'the same after a restart' } }
const register = (server: RealServer, email: string) =>
  server.ask('POST', '/register', { email, password: `password of ${email}` })

it('of 200 who sign up with one email at each of two servers on one file, one succeeds', {
  timeout: 120_000,
}, async () => {
  const home = folderOf({ 'db.json': { posts: [] }, 'json-server.config.json': config })
  const servers = await Promise.all([serveHome(home), serveHome(home)])
  const emails = Array.from({ length: 200 }, (_, n) => (n % 2 ? 'ada@example.com' : 'ADA@example.com'))
  const answers = await Promise.all(emails.flatMap((email) => servers.map((one) => register(one, email))))
  const counts = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([counts(201), counts(409)]).toEqual([1, 399])
  expect((await saved(home)).users).toHaveLength(1)
})

it('a user who was told so is signed up, though the server is killed, and so is the login', {
  timeout: 120_000,
}, async () => {
  const home = folderOf({ 'db.json': {}, 'json-server.config.json': config })
  const first = await serveHome(home)
  const done: [email: string, token: string][] = []
  const signUp = async (email: string) => {
    const { status, body } = await register(first, email)
    if (status === 201) done.push([email, JSON.parse(body).token])
    if (done.length === 5) first.process.child.kill('SIGKILL')
  }
  await Promise.allSettled(Array.from({ length: 20 }, (_, n) => signUp(`user${n}@example.com`)))
  await first.process.ended
  expect(done.length).toBeGreaterThanOrEqual(5)
  const text = await readFile(join(home, 'db.json'), 'utf8')
  expect(text).not.toContain('password of')
  const second = await serveHome(home)
  for (const [email, token] of done) {
    const login = await second.ask('POST', '/login', { email, password: `password of ${email}` })
    expect(login.status).toBe(200)
    expect((await second.ask('GET', '/me', undefined, { authorization: `Bearer ${token}` })).status).toBe(200)
  }
})
