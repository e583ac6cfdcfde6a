import { randomUUID } from 'node:crypto'
import type { Connections } from '../../stores/postgres/connections.ts'
import { HEAD_BYTES } from './file-type.ts'
import type { DurableFiles, FoundFile, Received } from './kept-files.ts'

const PIECE = 256 * 1024
const BEAT_MS = 15_000

/** Made where files are taken first. A file has no hash until all of it is there, and is kept once its row is saved. */
const CREATE_TABLES = `
  SELECT pg_advisory_xact_lock(hashtext('restable_files'));
  CREATE TABLE IF NOT EXISTS files (
    file text PRIMARY KEY, server text NOT NULL, hash text, size bigint,
    is_kept boolean NOT NULL DEFAULT false, is_left boolean NOT NULL DEFAULT false);
  CREATE INDEX IF NOT EXISTS files_hash ON files (hash);
  CREATE TABLE IF NOT EXISTS pieces (
    file text REFERENCES files ON DELETE CASCADE, piece int, bytes bytea NOT NULL, PRIMARY KEY (file, piece));
  CREATE TABLE IF NOT EXISTS file_servers (server text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());`

const RUNNING = `SELECT server FROM file_servers WHERE at > now() - interval '1 minute'`

type Hashed = { hash: string }

/** Files in the database of the rows, in pieces, for all of its servers. */
export class DatabaseFiles implements DurableFiles {
  readonly #connections: Connections
  readonly #server = randomUUID()
  #timer: NodeJS.Timeout | undefined

  private constructor(connections: Connections) {
    this.#connections = connections
  }

  static async open(connections: Connections): Promise<DatabaseFiles> {
    const files = new DatabaseFiles(connections)
    // One text without values: one transaction.
    await files.#run(CREATE_TABLES)
    const beat = () =>
      files.#run('INSERT INTO file_servers VALUES ($1) ON CONFLICT (server) DO UPDATE SET at = now()', [
        files.#server,
      ])
    await beat()
    files.#timer = setInterval(() => void beat().catch(() => {}), BEAT_MS).unref()
    return files
  }

  receive(): Received {
    const ids: string[] = []
    return {
      begin: async () => {
        const id = randomUUID()
        ids.push(id)
        await this.#run('INSERT INTO files (file, server) VALUES ($1, $2)', [id, this.#server])
        let gathered: Uint8Array[] = []
        let [size, length, piece] = [0, 0, 0]
        const send = async () => {
          const bytes = Buffer.concat(gathered)
          ;[gathered, length] = [[], 0]
          await this.#run('INSERT INTO pieces VALUES ($1, $2, $3)', [id, piece++, bytes])
        }
        return {
          write: async (chunk) => {
            gathered.push(chunk)
            length += chunk.byteLength
            size += chunk.byteLength
            if (length >= PIECE) await send()
          },
          finish: async (hash) => {
            if (length > 0) await send()
            await this.#run('UPDATE files SET hash = $2, size = $3 WHERE file = $1', [id, hash, size])
          },
        }
      },
      // Each statement is durable when it is done.
      flush: async () => {},
      keep: () => this.#keep(ids).catch(() => {}),
      drop: async () => {
        await this.#run('DELETE FROM files WHERE file = ANY($1)', [ids]).catch(() => {})
      },
    }
  }

  async find(hash: string): Promise<FoundFile | undefined> {
    type Found = { file: string; size: string }
    const text = 'SELECT file, size FROM files WHERE hash = $1 ORDER BY is_kept DESC LIMIT 1'
    const [found] = await this.#connections.query<Found>('copy', text, [hash])
    if (!found) return undefined
    const read = (start: number, end: number) => this.#read(found.file, start, end)
    return {
      size: Number(found.size),
      head: async () => {
        for await (const bytes of read(0, HEAD_BYTES)) return bytes
        return new Uint8Array()
      },
      read,
      close: async () => {},
    }
  }

  async markLeft(hashes: ReadonlySet<string>): Promise<void> {
    await this.#run('UPDATE files SET is_left = true WHERE hash = ANY($1)', [[...hashes]], 'shared')
  }

  async left(): Promise<ReadonlySet<string>> {
    const rows = await this.#run<Hashed>('SELECT hash FROM files WHERE is_left AND is_kept')
    return new Set(rows.map(({ hash }) => hash))
  }

  async settle(left: ReadonlySet<string>, going: ReadonlySet<string>, isNamed: (hash: string) => boolean) {
    const gone = [...going].filter((hash) => !isNamed(hash))
    await this.#run('DELETE FROM files WHERE hash = ANY($1) AND is_left AND is_kept', [gone])
    const staying = [...left].filter((hash) => !going.has(hash))
    await this.#run('UPDATE files SET is_left = false WHERE hash = ANY($1)', [staying])
  }

  async isAlone(): Promise<boolean> {
    return (await this.#run(`${RUNNING} AND server <> $1`, [this.#server])).length === 0
  }

  async recover(isNamed: (hash: string) => boolean): Promise<void> {
    type Left = { file: string; hash: string | null }
    const left = await this.#run<Left>(
      `SELECT file, hash FROM files WHERE NOT is_kept AND server NOT IN (${RUNNING})`,
    )
    const isWhole = ({ hash }: Left) => hash !== null && isNamed(hash)
    await this.#keep(left.filter(isWhole).map(({ file }) => file))
    const others = left.filter((one) => !isWhole(one)).map(({ file }) => file)
    await this.#run('DELETE FROM files WHERE file = ANY($1)', [others])
  }

  async hashes(): Promise<readonly string[]> {
    return (await this.#run<Hashed>('SELECT hash FROM files WHERE is_kept')).map(({ hash }) => hash)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#run('DELETE FROM file_servers WHERE server = $1', [this.#server]).catch(() => {})
  }

  /** Once for equal content: what is there already stays. */
  async #keep(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const text = `UPDATE files AS own SET is_kept = true WHERE file = $1
        AND NOT EXISTS (SELECT FROM files WHERE is_kept AND hash = own.hash) RETURNING 1`
      const kept = await this.#run(text, [id])
      if (kept.length === 0) await this.#run('DELETE FROM files WHERE file = $1 AND NOT is_kept', [id])
    }
  }

  async *#read(file: string, start: number, end: number): AsyncGenerator<Uint8Array, void> {
    let at = 0
    type Piece = { piece: number; bytes: Buffer }
    const text = `SELECT piece, bytes FROM pieces WHERE file = $1 AND piece >= $2 ORDER BY piece LIMIT 1`
    for (let piece = 0; at < end; piece++) {
      const [found] = await this.#connections.query<Piece>('copy', text, [file, piece])
      if (!found) return
      const part = found.bytes.subarray(Math.max(0, start - at), Math.max(0, end - at))
      at += found.bytes.length
      if (part.length > 0) yield part
    }
  }

  #run<R extends Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    use: 'copy' | 'shared' = 'copy',
  ) {
    return this.#connections.queryOnce<R>(use, text, values)
  }
}
