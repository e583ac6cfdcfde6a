import { createHash } from 'node:crypto'
import { Lru } from '../../kernel/util/lru.ts'
import { randomId } from '../../kernel/util/random-id.ts'

interface StoredLogin {
  /** Hash of the password at the time: with another password, the login is over. */
  readonly stamp: string
  /** Hash of the password in a change that is about to be committed. */
  readonly next?: string
  /** Of the refresh token that has not been used yet. */
  readonly serial: string
}

/** A refresh token of a login: each is used once, for the next one of the same chain. */
export interface LoginLink {
  readonly chain: string
  readonly serial: string
}

/** Stores logins as short strings by name: in this process, or for several servers. */
export interface LoginStore {
  read(name: string): string | undefined | Promise<string | undefined>
  /** Replaces or removes a string; false if it is not `before` anymore. */
  swap(name: string, before: string | undefined, after: string | undefined): boolean | Promise<boolean>
}

/** The active logins. Tokens of any other are worthless. */
export class Logins {
  readonly #store: LoginStore

  constructor(store: LoginStore) {
    this.#store = store
  }

  async begin(password: unknown): Promise<LoginLink> {
    const [chain, serial] = [randomId(), randomId()]
    const text = JSON.stringify({ stamp: stampOf(password), serial } satisfies StoredLogin)
    await this.#store.swap(chain, undefined, text)
    return { chain, serial }
  }

  async isActive(chain: string, password: unknown): Promise<boolean> {
    const { stamp, next } = loginIn(await this.#store.read(chain)) ?? {}
    return [stamp, next].includes(stampOf(password))
  }

  /** Exchanges a refresh token for the next. One that was used before has been stolen: the login ends. */
  async refresh({ chain, serial }: LoginLink): Promise<LoginLink | undefined> {
    const after = randomId()
    const isUnused = (login: StoredLogin | undefined) => login?.serial === serial
    const before = await this.#change(chain, (login) =>
      isUnused(login) ? { ...login, serial: after } : undefined,
    )
    return isUnused(before) ? { chain, serial: after } : undefined
  }

  /** Keeps a login through the commit of another password, of which other servers may learn first. */
  expectPassword(chain: string, password: unknown): Promise<unknown> {
    return this.#change(chain, (login) => ({ ...login, next: stampOf(password) }))
  }

  setPassword(chain: string, password: unknown): Promise<unknown> {
    return this.#change(chain, ({ serial }) => ({ stamp: stampOf(password), serial }))
  }

  end(chain: string): Promise<unknown> {
    return this.#change(chain, () => undefined)
  }

  /** Replaces or ends a login, and resolves with the one before. Tries again after a concurrent change. */
  async #change(
    name: string,
    make: (login: StoredLogin) => StoredLogin | undefined,
  ): Promise<StoredLogin | undefined> {
    for (;;) {
      const text = await this.#store.read(name)
      const login = loginIn(text)
      if (!login) return undefined
      const next = make(login)
      if (await this.#store.swap(name, text, next && JSON.stringify(next))) return login
    }
  }
}

/** Only ever written here. */
function loginIn(text: string | undefined): StoredLogin | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}

function stampOf(password: unknown): string {
  return createHash('sha256').update(String(password)).digest('base64url')
}

/** Beyond that, the user who has been away longest has to log in again. */
const MOST_LOGINS = 100_000

export class MemoryLoginStore implements LoginStore {
  readonly #texts = new Lru<string, string>({ limit: MOST_LOGINS })

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
