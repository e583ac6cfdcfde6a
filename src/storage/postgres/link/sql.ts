/** Fields of a row of a result, by their names. */
export type Fields = Record<string, unknown>

/** Where statements are sent: one connection, and with it one transaction. They are done in the order they are sent. */
export interface Sql {
  query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
  /** Sends a statement without waiting for it: `flush`, or the next failure, tells. */
  send(text: string, values?: readonly unknown[]): void
  /** Waits for all that was sent. Throws what failed first. */
  flush(): Promise<void>
}
