import type pg from 'pg'
import { CopyIn } from './copy-in.ts'
import type { Fields, RowStream, Sql } from './sql.ts'

/** Statements on one connection, which is pipelined: what is sent does not wait for what was sent before. */
export class Connection implements Sql {
  readonly #driver: typeof pg
  readonly #client: pg.PoolClient
  #sent: Promise<unknown>[] = []
  /** What failed first. After it the server refuses everything, and says no more than that. */
  #failure: unknown
  /** Then nothing is left to end. */
  #isCommitted = false
  #copy: CopyIn | undefined

  constructor(driver: typeof pg, client: pg.PoolClient) {
    this.#driver = driver
    this.#client = client
  }

  async query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    const rows = await this.#query<R>(text, values)
    this.#isCommitted = text === 'COMMIT'
    return rows
  }

  async #query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    const asked = this.#run<R>(text, values)
    if (this.#sent.length === 0) return (await asked).rows
    // What failed before it is why it failed.
    asked.catch(() => {})
    await this.flush()
    return (await asked).rows
  }

  send(text: string, values?: readonly unknown[]): void {
    const sent = this.#run(text, values)
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  async flush(): Promise<void> {
    const sent = this.#sent
    this.#sent = []
    for (const one of sent) await one
  }

  #run<R extends Fields>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<R>> {
    return this.#client.query<R>(text, values?.slice()).catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): never {
    this.#failure ??= error
    throw this.#failure
  }

  async copy(statement: string): Promise<RowStream> {
    const start = CopyIn.start(this.#driver, this.#client, statement)
    const started = start.catch((error: unknown) => this.#fail(error))
    // What failed before it is why it failed.
    started.catch(() => {})
    await this.flush()
    this.#copy = await started
    return this.#copy
  }

  /** Ends the transaction, if there is one, and gives the connection back once that is done. */
  release(): void {
    if (this.#isCommitted) {
      this.#client.release()
      return
    }
    this.#copy?.cancel()
    this.#client.query('ROLLBACK').then(
      () => this.#client.release(),
      (error: Error) => this.#client.release(error),
    )
  }
}
