/** Fields of a row of a result, by their names. */
export type Fields = Record<string, unknown>

/** Where statements are sent: one connection, and with it one transaction. */
export interface Sql {
  query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
}
