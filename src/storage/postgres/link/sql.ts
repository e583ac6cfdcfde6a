/** Fields of a row of a result, by their names. */
export type Fields = Record<string, unknown>

/** A transaction. Statements are run in the order they are sent, and a later one need not wait for an earlier one. */
export interface Sql {
  query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
  /** Sends a statement without waiting for it. If it fails, the next `query` or `flush` rejects with that. */
  send(text: string, values?: readonly unknown[]): void
  /** Waits for all that was sent. Rejects with what failed first. */
  flush(): Promise<void>
  /** Starts a `COPY … FROM STDIN`. Nothing else may be sent before it is ended. */
  copy(statement: string): Promise<RowStream>
}

/** Where rows are written as bytes. */
export interface RowStream {
  /** Resolves when more may be written. */
  write(bytes: Uint8Array): Promise<void>
  /** Resolves once all rows are in. */
  end(): Promise<void>
}
