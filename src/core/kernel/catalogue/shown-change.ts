/** A row of a commit, as `GET /__history` and `GET /__changes` show it. */
export interface ShownChange {
  readonly resource: string
  readonly id: unknown
  readonly op: 'create' | 'update' | 'delete'
  readonly before?: Record<string, unknown>
  readonly after?: Record<string, unknown>
}
