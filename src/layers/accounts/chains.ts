import { createHash, randomBytes } from 'node:crypto'
import { when } from '../../work/when.ts'
import type { Shelf } from './shelf.ts'

/** One login: the tokens that came of it, each refresh token in the place of the last. */
interface Chain {
  /** The password at the time: with another one, this login is over. */
  readonly stamp: string
  /** The one that takes its place when a change is committed. */
  readonly next?: string
  /** The refresh token that has not been used yet. */
  readonly serial: string
}

/** A link of a chain, as tokens name it. */
export interface Link {
  readonly chain: string
  readonly serial: string
}

type MaybePromise<T> = T | Promise<T>

/** The logins that are remembered. A token of any other is worthless. */
export class Chains {
  readonly #shelf: Shelf

  constructor(shelf: Shelf) {
    this.#shelf = shelf
  }

  /** @param password as it is stored */
  begin(password: unknown): MaybePromise<Link> {
    const [chain, serial] = [randomId(), randomId()]
    const text = JSON.stringify({ stamp: stampOf(password), serial } satisfies Chain)
    return when(this.#shelf.swap(chain, undefined, text), () => ({ chain, serial }))
  }

  /** Whether a login is good for a user who has this password now. */
  isGood(chain: string, password: unknown): MaybePromise<boolean> {
    return when(this.#shelf.read(chain), (text) => {
      const { stamp, next } = chainIn(text) ?? {}
      return [stamp, next].includes(stampOf(password))
    })
  }

  /** Takes a refresh token for another. One that was used before was stolen, or its thief was here first: all ends. */
  next({ chain, serial }: Link): MaybePromise<Link | undefined> {
    const after = randomId()
    const isNext = (known: Chain | undefined) => known?.serial === serial
    const changed = this.#change(chain, (known) => (isNext(known) ? { ...known, serial: after } : undefined))
    return when(changed, (known) => (isNext(known) ? { chain, serial: after } : undefined))
  }

  /** The user is about to change the password, and stays logged in here: others learn of the commit before we do. */
  expect(chain: string, password: unknown): MaybePromise<unknown> {
    return this.#change(chain, (known) => ({ ...known, next: stampOf(password) }))
  }

  /** That is done. */
  keep(chain: string, password: unknown): MaybePromise<unknown> {
    return this.#change(chain, ({ serial }) => ({ stamp: stampOf(password), serial }))
  }

  end(chain: string): MaybePromise<unknown> {
    return this.#change(chain, () => undefined)
  }

  /**
   * Puts another in the place of a login, or none. Resolves with the one that it took the place of, and tries again where
   * somebody else was faster.
   */
  #change(name: string, make: (known: Chain) => Chain | undefined): MaybePromise<Chain | undefined> {
    return when(this.#shelf.read(name), (text) => {
      const known = chainIn(text)
      if (!known) return undefined
      const next = make(known)
      const swapped = this.#shelf.swap(name, text, next && JSON.stringify(next))
      return when(swapped, (isDone) => (isDone ? known : this.#change(name, make)))
    })
  }
}

/** Only ever written here. */
function chainIn(text: string | undefined): Chain | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}

function randomId(): string {
  return randomBytes(16).toString('base64url')
}

function stampOf(password: unknown): string {
  return createHash('sha256').update(String(password)).digest('base64url')
}
