import { mkdirSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { folderForCluster } from './cluster.ts'

/** Hands on what a client and the database say to each other, and counts the bytes. */
export class CountingProxy {
  /** Both ways. */
  bytes = 0
  /** Reaches the same schema through it. */
  readonly address: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(address: string) {
    const folder = /host=([^&]+)/.exec(address)?.[1] ?? ''
    const through = join(folderForCluster(), 'p')
    mkdirSync(through)
    this.address = address.replace(folder, through)
    this.#server = createServer((client) => {
      const database = connect(join(folder, '.s.PGSQL.5432'))
      for (const [from, to] of [
        [client, database],
        [database, client],
      ] as const) {
        this.#sockets.add(from)
        from.on('error', () => to.destroy())
        from.on('data', (bytes) => {
          this.bytes += bytes.length
        })
        from.pipe(to)
      }
    })
  }

  static async start(address: string): Promise<CountingProxy> {
    const proxy = new CountingProxy(address)
    const folder = /host=([^&]+)/.exec(proxy.address)?.[1] ?? ''
    await new Promise<void>((resolve) => proxy.#server.listen(join(folder, '.s.PGSQL.5432'), resolve))
    return proxy
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
