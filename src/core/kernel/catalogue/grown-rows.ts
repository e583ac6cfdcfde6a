/** The response of `POST /__grow`. */
export interface GrownRows {
  /** How many rows of each collection were added, missing parents included. */
  readonly created: Readonly<Record<string, number>>
  /** Stored rows of which some fields were given. */
  readonly rows: Readonly<Record<string, readonly Record<string, unknown>[]>>
}
