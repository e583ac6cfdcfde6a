import { createHash, randomBytes } from 'node:crypto'
import { Lru } from '../../lru.ts'

/** Logins that are remembered. The user who has been away longest has to log in again. */
const MOST_CHAINS = 100_000

/** One login: the tokens that came of it, each refresh token in the place of the last. */
interface Chain {
  /** The password at the time: with another one, this login is over. */
  stamp: string
  /** The one that takes its place when a change is committed. */
  next?: string | undefined
  /** The refresh token that has not been used yet. */
  serial: string
}

/** A link of a chain, as tokens name it. */
export interface Link {
  readonly chain: string
  readonly serial: string
}

/** The logins since the start of the process. A token of any other is worthless. */
export class Chains {
  readonly #chains = new Lru<string, Chain>({ limit: MOST_CHAINS })

  /** @param password as it is stored */
  begin(password: unknown): Link {
    const [chain, serial] = [randomId(), randomId()]
    this.#chains.set(chain, { stamp: stampOf(password), serial })
    return { chain, serial }
  }

  /** Whether a login is good for a user who has this password now. */
  isGood(chain: string, password: unknown): boolean {
    const { stamp, next } = this.#chains.get(chain) ?? {}
    return [stamp, next].includes(stampOf(password))
  }

  /** Takes a refresh token for another. One that was used before was stolen, or its thief was here first: all ends. */
  next({ chain, serial }: Link): Link | undefined {
    const known = this.#chains.get(chain)
    if (!known) return undefined
    if (known.serial !== serial) {
      this.end(chain)
      return undefined
    }
    known.serial = randomId()
    return { chain, serial: known.serial }
  }

  /** The user is about to change the password, and stays logged in here: others learn of the commit before we do. */
  expect(chain: string, password: unknown): void {
    const known = this.#chains.get(chain)
    if (known) known.next = stampOf(password)
  }

  /** That is done. */
  keep(chain: string, password: unknown): void {
    const known = this.#chains.get(chain)
    if (known) Object.assign(known, { stamp: stampOf(password), next: undefined })
  }

  end(chain: string): void {
    this.#chains.delete(chain)
  }
}

function randomId(): string {
  return randomBytes(16).toString('base64url')
}

function stampOf(password: unknown): string {
  return createHash('sha256').update(String(password)).digest('base64url')
}
