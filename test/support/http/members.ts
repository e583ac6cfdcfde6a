import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type RunningServer, type StartOptions, start } from '../../../src/index.ts'
import { fileOf } from '../folder.ts'
import { asking } from './asking.ts'

/** With a hash of four rounds, so that tests do not wait for it: of "password-of-ada". */
export const ADA = {
  id: 1,
  email: 'ada@example.com',
  username: 'ada',
  password: '$2b$04$geoYXrg268XoEzHYX3mAb.o18AiWUXMaHu1mlSxmGc5OvpIICLFHK',
  role: 'admin',
}
export const BOB = { id: 2, email: 'bob@example.com', password: 'password-of-bob', role: 'user' }

export const MEMBERS = { users: [ADA, BOB], posts: [{ id: 1, title: 'one' }] }

/** A server with accounts over a file, until the test ends. What it prints is in `lines`. */
export async function members(options: StartOptions = {}, data: object = MEMBERS) {
  const path = fileOf(JSON.stringify(data, null, 2))
  const lines: string[] = []
  const source = options.data === undefined ? { source: path } : {}
  const settings = { ...source, port: 0, middlewares: ['accounts'], ...options }
  const server: RunningServer = await start({ print: (line) => lines.push(line), ...settings })
  onTestFinished(() => server.close())
  const ask = asking(server.url)
  return {
    server,
    ask,
    lines,
    path,
    stored: () => JSON.parse(readFileSync(path, 'utf8')),
    /** Logs Ada in; or another. */
    async login(email = ADA.email, password = 'password-of-ada', headers: Record<string, string> = {}) {
      const { body } = await ask('POST', '/login', { email, password }, headers)
      return { ...body, headers: { ...headers, authorization: `Bearer ${body.accessToken}` } }
    },
  }
}
