/** Fields of a row of a result, by their names. */
export type Fields = Record<string, unknown>

/** Where statements are sent: one connection, and with it one transaction. They are done in the order they are sent. */
export interface Sql {
  query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
  /** Sends a statement without waiting for it: `flush`, or the next failure, tells. */
  send(text: string, values?: readonly unknown[]): void
  /** Waits for all that was sent. Throws what failed first. */
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

/** What reading needs of it. */
export type ReadSql = Pick<Sql, 'query' | 'send'>

/** A statement that takes a moment. */
export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[] | undefined
  /** Whether its plan hardly depends on the values, so that it is made once and kept. */
  readonly isSteady?: boolean | undefined
}

/** Asks for what one statement tells, which is of one moment. */
export type AskQuickly = <R extends Fields>(statement: Statement) => Promise<readonly R[]>
