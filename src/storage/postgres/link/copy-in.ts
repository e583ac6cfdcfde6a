import type pg from 'pg'

/** Bytes of one message: the server keeps a message whole. */
const MOST_BYTES = 1024 * 1024

const DATA = 0x64
const DONE = Buffer.from([0x63, 0, 0, 0, 4])
const FAIL = Buffer.from([0x66, 0, 0, 0, 5, 0])

/**
 * `COPY … FROM STDIN`: rows as bytes, as fast as the server takes them. Nothing else may be sent before its end. Made
 * of the driver's own query, since a pipelined connection takes no other.
 */
export class CopyIn {
  readonly #client: pg.Client
  readonly #done: Promise<void>
  #isOver = false
  /** Ends the wait for a server that takes no more. */
  #wake = () => {}

  private constructor(client: pg.Client, done: Promise<void>) {
    this.#client = client
    this.#done = done
    const end = () => {
      this.#isOver = true
      this.#wake()
    }
    done.then(end, end)
  }

  /** Resolves when the server waits for rows. */
  static async start(driver: typeof pg, client: pg.Client, statement: string): Promise<CopyIn> {
    let isReady = () => {}
    const ready = new Promise<void>((resolve) => {
      isReady = resolve
    })
    const done = new Promise<void>((resolve, reject) => {
      const query = new driver.Query(statement, (error) => (error ? reject(error) : resolve()))
      client.query(Object.assign(query, { handleCopyInResponse: () => isReady() }))
    })
    const copy = new CopyIn(client, done)
    await Promise.race([ready, done])
    return copy
  }

  /** Resolves when more may be written. Rejects with what failed. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += MOST_BYTES) {
      if (this.#isOver) break
      const part = bytes.subarray(start, start + MOST_BYTES)
      const head = Buffer.allocUnsafe(5)
      head[0] = DATA
      head.writeInt32BE(part.length + 4, 1)
      this.#stream.cork()
      this.#stream.write(head)
      this.#stream.write(part)
      this.#stream.uncork()
      if (this.#stream.writableNeedDrain) await this.#drain()
    }
    // What failed, and only that, ends it before its time.
    if (this.#isOver) await this.#done
  }

  /** Resolves once all rows are in. */
  async end(): Promise<void> {
    if (!this.#isOver) this.#stream.write(DONE)
    await this.#done
  }

  /** Leaves it: the transaction has failed then. */
  cancel(): void {
    if (!this.#isOver) this.#stream.write(FAIL)
    this.#isOver = true
  }

  get #stream() {
    return this.#client.connection.stream
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      this.#stream.once('drain', resolve)
    })
  }
}
