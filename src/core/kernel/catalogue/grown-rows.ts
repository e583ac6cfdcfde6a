/** The response of `POST /__grow`. */
export interface GrownRows {
  /** How many rows of each collection were added, missing parents included. */
  readonly created: Readonly<Record<string, number>>
  /** What is stored of the rows that were given some fields. */
  readonly rows: Readonly<Record<string, readonly Record<string, unknown>[]>>
}
