/** Also of another copy of the package: the one that a user's file imports. */
const BRAND = Symbol.for('restable.refusal')

/** What a handler or a hook refuses with: sent as it says, while any other error is a bug of its own, and a 500. */
export interface Refusal extends Error {
  readonly status: number
  readonly code: string
  /** More fields for the body. */
  readonly extra: Readonly<Record<string, unknown>>
}

/**
 * Refuses a request from a handler or a hook: nothing is changed, and the client gets this.
 * @example throw refuse(409, 'ALREADY_FINISHED', 'The order is finished.')
 */
export function refuse(
  status: number,
  code: string,
  message: string,
  extra: Readonly<Record<string, unknown>> = {},
): Refusal {
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new RangeError(
      `refuse: the status has to be a number from 400 to 599, not ${JSON.stringify(status)}.`,
    )
  }
  if (typeof code !== 'string' || typeof message !== 'string') {
    throw new TypeError(
      "refuse: a code and a message are missing, as in refuse(409, 'TAKEN', 'It is taken.').",
    )
  }
  return Object.assign(new Error(message), { name: 'Refusal', status, code, extra, [BRAND]: true })
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && Reflect.get(error, BRAND) === true
}
