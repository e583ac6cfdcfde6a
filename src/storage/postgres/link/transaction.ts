import type pg from 'pg'
import { CopyIn } from './copy-in.ts'
import type { Fields, RowStream, Sql } from './sql.ts'

/** A transaction on a pipelined connection. It has to commit: `end` rolls back what did not. */
export class Transaction implements Sql {
  readonly #driver: typeof pg
  readonly #client: pg.Client
  #sent: Promise<unknown>[] = []
  /** What failed first. After it the server refuses everything, and says no more than that. */
  #failure: unknown
  #isCommitted = false
  #copy: CopyIn | undefined

  constructor(driver: typeof pg, client: pg.Client, begin = 'BEGIN') {
    this.#driver = driver
    this.#client = client
    this.send(begin)
  }

  async query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    const asked = this.#run<R>(text, values)
    // What failed before it is why it failed.
    asked.catch(() => {})
    await this.flush()
    const { rows } = await asked
    this.#isCommitted = text === 'COMMIT'
    return rows
  }

  send(text: string, values?: readonly unknown[]): void {
    const sent = this.#run(text, values)
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  async flush(): Promise<void> {
    for (const sent of this.#sent.splice(0)) await sent
  }

  async copy(statement: string): Promise<RowStream> {
    const starting = CopyIn.start(this.#driver, this.#client, statement).catch((error: unknown) =>
      this.#fail(error),
    )
    starting.catch(() => {})
    await this.flush()
    this.#copy = await starting
    return this.#copy
  }

  end(): void {
    if (this.#isCommitted) return
    this.#copy?.cancel()
    // Should it fail, the connection is broken, and the transaction gone with it.
    this.#client.query('ROLLBACK').catch(() => {})
  }

  #run<R extends Fields>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<R>> {
    return this.#client.query<R>(text, values?.slice()).catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): never {
    this.#failure ??= error
    throw this.#failure
  }
}
