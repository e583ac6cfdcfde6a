import { createHash, randomBytes } from 'node:crypto'
import { Lru } from '../../util/lru.ts'

/** One login: the tokens that came of it, each refresh token in the place of the last. */
interface Chain {
  /** The password at the time: with another one, this login is over. */
  readonly stamp: string
  /** The one that takes its place when a change is committed. */
  readonly next?: string
  /** The refresh token that has not been used yet. */
  readonly serial: string
}

export interface Link {
  readonly chain: string
  readonly serial: string
}

/** The logins that are remembered. A token of any other is worthless. */
export class Chains {
  readonly #shelf: Shelf

  constructor(shelf: Shelf) {
    this.#shelf = shelf
  }

  async begin(password: unknown): Promise<Link> {
    const [chain, serial] = [randomId(), randomId()]
    const text = JSON.stringify({ stamp: stampOf(password), serial } satisfies Chain)
    await this.#shelf.swap(chain, undefined, text)
    return { chain, serial }
  }

  async isGood(chain: string, password: unknown): Promise<boolean> {
    const { stamp, next } = chainIn(await this.#shelf.read(chain)) ?? {}
    return [stamp, next].includes(stampOf(password))
  }

  /** Takes a refresh token for another. One that was used before was stolen, or its thief was here first: all ends. */
  async next({ chain, serial }: Link): Promise<Link | undefined> {
    const after = randomId()
    const isNext = (known: Chain | undefined) => known?.serial === serial
    const known = await this.#change(chain, (now) => (isNext(now) ? { ...now, serial: after } : undefined))
    return isNext(known) ? { chain, serial: after } : undefined
  }

  /** The user is about to change the password, and stays logged in here: others learn of the commit before we do. */
  expect(chain: string, password: unknown): Promise<unknown> {
    return this.#change(chain, (known) => ({ ...known, next: stampOf(password) }))
  }

  keep(chain: string, password: unknown): Promise<unknown> {
    return this.#change(chain, ({ serial }) => ({ stamp: stampOf(password), serial }))
  }

  end(chain: string): Promise<unknown> {
    return this.#change(chain, () => undefined)
  }

  /** Replaces or ends a login, and resolves with the one before. Tries again where somebody else was faster. */
  async #change(name: string, make: (known: Chain) => Chain | undefined): Promise<Chain | undefined> {
    for (;;) {
      const text = await this.#shelf.read(name)
      const known = chainIn(text)
      if (!known) return undefined
      const next = make(known)
      if (await this.#shelf.swap(name, text, next && JSON.stringify(next))) return known
    }
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

/** Logins that are remembered. The user who has been away longest has to log in again. */
const MOST = 100_000

/** Where logins are kept, as short strings by name: in this process, or where several servers find them. */
export interface Shelf {
  read(name: string): string | undefined | Promise<string | undefined>
  /** Keeps another string, or none, in the place of `before`; false if that is not there anymore. */
  swap(name: string, before: string | undefined, after: string | undefined): boolean | Promise<boolean>
}

export class OwnShelf implements Shelf {
  readonly #texts = new Lru<string, string>({ limit: MOST })

  read(name: string): string | undefined {
    return this.#texts.get(name)
  }

  swap(name: string, before: string | undefined, after: string | undefined): boolean {
    if (this.#texts.get(name) !== before) return false
    if (after === undefined) this.#texts.delete(name)
    else this.#texts.set(name, after)
    return true
  }
}
