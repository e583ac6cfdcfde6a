import { Lru } from '../../lru.ts'

/** Logins that are remembered. The user who has been away longest has to log in again. */
const MOST = 100_000

/** Where logins are kept, as short strings by name: in this process, or where several servers find them. */
export interface Shelf {
  read(name: string): string | undefined | Promise<string | undefined>
  /** Keeps another string, or none, in the place of `before`; false if that is not there anymore. */
  swap(name: string, before: string | undefined, after: string | undefined): boolean | Promise<boolean>
}

/** Ends with the process. */
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
