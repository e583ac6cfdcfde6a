import { signal } from '@preact/signals'

/** Why a guard refused, as it said it. */
export interface Refusal {
  readonly code: string
  readonly message: string
  /** Reading was refused: then it is no login that is missing, since logins guard writes only. */
  readonly isRead: boolean
}

interface Question extends Refusal {
  /** `true`: there are new credentials, try again. */
  answer(isGiven: boolean): void
}

/** What the dialog asks at present. */
export const question = signal<Question | undefined>(undefined)

let pending: Promise<boolean> | undefined

/** Asks the user to sign in; resolves to false when they would rather not. Requests that wait share one dialog. */
export function askFor(refusal: Refusal): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    question.value = {
      ...refusal,
      answer(isGiven) {
        question.value = undefined
        pending = undefined
        resolve(isGiven)
      },
    }
  })
  return pending
}

/** Whether other credentials would help. A key that may not write is known, and asking again would be a loop. */
export function isAuthCode(code: string): boolean {
  return /^(?:API_KEY_(?:MISSING|MALFORMED|INVALID)|AUTH_REQUIRED|AUTH_FORBIDDEN)$/.test(code)
}
