import { mkdirSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

const SOCKET = '.s.PGSQL.5432'
const NOTIFICATION = 'A'.charCodeAt(0)

/** Stands between a client and a cluster: hands bytes on, and does what networks do. */
export class Wire {
  /** Cuts the connection instead of handing on the answer to the next COMMIT. */
  cutAfterCommit = false
  /** Cuts a connection that sends this. */
  cutsOn: string | undefined
  /** Cuts the connection that brings the last of so many bytes. */
  cutAfterBytes = Number.POSITIVE_INFINITY
  /** Leaves the database's end of what it cuts open, as a network does that tells one side only. */
  isOneSided = false
  cuts = 0
  /** Connections that were made. */
  joined = 0
  /** Lets nobody connect. */
  isDown = false
  /** Takes everything, and hands on nothing. */
  isStuck = false
  /** Loses notifications, as a pooler does that hands connections on. */
  isDeaf = false
  /** Keeps back what has this in it, until it is set to something else. */
  holds: string | undefined
  held = 0
  /** The folder where clients find it. */
  readonly folder: string
  readonly #server: Server
  readonly #links = new Map<Socket, string>()
  readonly #kept: (() => void)[] = []
  readonly #leftOpen: Socket[] = []

  private constructor(target: string, folder: string) {
    this.folder = folder
    this.#server = createServer((client) => this.#join(client, connect(target)))
  }

  static async start(cluster: string, name: string): Promise<Wire> {
    const folder = join(cluster, name)
    mkdirSync(folder, { recursive: true })
    const wire = new Wire(join(cluster, SOCKET), folder)
    await new Promise<void>((resolve) => wire.#server.listen(join(folder, SOCKET), resolve))
    return wire
  }

  /** Cuts the connections that have sent this. */
  cut(text: string): void {
    for (const [client, sent] of this.#links) if (sent.includes(text)) client.destroy()
  }

  /** Cuts everything, and lets nobody connect until it is up. */
  goDown(): void {
    this.isDown = true
    this.cut('')
  }

  /** Hands on what was held, and holds nothing more. */
  release(): void {
    this.holds = undefined
    for (const handOn of this.#kept.splice(0)) handOn()
  }

  close(): Promise<void> {
    for (const socket of [...this.#links.keys(), ...this.#leftOpen]) socket.destroy()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #join(client: Socket, database: Socket): void {
    this.joined++
    if (this.isDown) client.destroy()
    this.#links.set(client, '')
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        this.#links.delete(client)
        if (this.isOneSided && from === client) this.#leftOpen.push(database)
        else to.destroy()
      })
    }
    client.on('data', (bytes) => {
      this.#links.set(client, `${this.#links.get(client) ?? ''}${bytes.toString('latin1')}`.slice(-2000))
      if (this.isStuck) return
      if (this.cutsOn !== undefined && bytes.includes(this.cutsOn)) return this.#cut(client)
      if (this.holds === undefined || !bytes.includes(this.holds)) database.write(bytes)
      else {
        this.held++
        this.#kept.push(() => database.write(bytes))
      }
    })
    database.on('data', (bytes) => {
      if (this.isStuck || (this.isDeaf && bytes[0] === NOTIFICATION)) return
      // The tag of a command that was done.
      if (this.cutAfterCommit && bytes.includes('COMMIT\0')) {
        this.cutAfterCommit = false
        return this.#cut(client)
      }
      client.write(bytes)
      this.cutAfterBytes -= bytes.length
      if (this.cutAfterBytes > 0) return
      this.cutAfterBytes = Number.POSITIVE_INFINITY
      client.end(() => this.#cut(client))
    })
  }

  #cut(client: Socket): void {
    this.cuts++
    client.destroy()
  }
}
