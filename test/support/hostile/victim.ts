import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { type Data, type RealServer, type RealServerOptions, saved, serveHome } from '../child/real-server.ts'
import { folderOf } from '../folder.ts'
import type { Answer } from '../http/exchange.ts'
import { dial } from '../http/sockets.ts'
import { expectDiscreet } from './discreet.ts'

/** A server to attack. All its responses are searched for confidential data. */
export interface Victim extends RealServer {
  readonly home: string
  /** Sends raw bytes on a new connection, and returns everything received until it is closed. */
  raw(bytes: string | Buffer): Promise<string>
  /** Fails unless memory and file still hold the initial data. */
  expectUnharmed(): Promise<void>
}

export async function attack(
  data: Data,
  { files = {}, ...options }: RealServerOptions & { files?: Readonly<Record<string, unknown>> } = {},
): Promise<Victim> {
  const home = folderOf({ 'db.json': data, ...files })
  const server = await serveHome(home, options)
  const before = await readFile(join(home, 'db.json'), 'utf8')
  return {
    ...server,
    home,
    async ask(...args) {
      const answer = await server.ask(...args)
      expectDiscreet(asText(answer))
      return answer
    },
    async raw(bytes) {
      const socket = await dial(server.port)
      socket.on('error', () => undefined)
      socket.write(bytes)
      const heard = await text(socket)
      expectDiscreet(heard)
      return heard
    },
    async expectUnharmed() {
      expect(await server.served()).toEqual(data)
      expect(await readFile(join(home, 'db.json'), 'utf8')).toBe(before)
      expect(await saved(home)).toEqual(data)
    },
  }
}

function asText({ headers, body }: Answer): string {
  return [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), body].join('\n')
}
