import type { ErrorCode } from '../kernel/catalogue/errors.ts'

/** Statuses of another API than ours. */
export interface OwnStatuses {
  readonly create?: number | undefined
  readonly update?: number | undefined
  readonly delete?: number | undefined
  /** In place of each 422. */
  readonly invalid?: number | undefined
  readonly conflict?: number | undefined
  /** In place of the 404 of an item or a nested path. */
  readonly missing?: number | undefined
}

/** The status of a write that succeeded. @param ours tells whether something was created */
export function statusOfWrite(own: OwnStatuses, method: string, ours: number): number {
  if (ours === 201) return own.create ?? ours
  return (method.toUpperCase() === 'DELETE' ? own.delete : own.update) ?? ours
}

export function statusOfError({ invalid, conflict }: OwnStatuses, code: string, ours: number): number {
  if (ours === 422) return invalid ?? ours
  return (CONFLICTS.includes(code) ? conflict : undefined) ?? ours
}

/** Whether responses with this status have no body, as HTTP has it. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 205
}

const CONFLICTS: readonly string[] = [
  'DUPLICATE_ID',
  'NOT_UNIQUE',
  'STILL_REFERENCED',
] satisfies readonly ErrorCode[]
