import type { Store } from '../data/store.ts'

/** Keeps nothing: the data lives as long as the engine. */
export class MemoryStore implements Store {
  async commit(change: Parameters<Store['commit']>[0]): Promise<void> {
    await change(undefined)
  }

  async news(): Promise<undefined> {
    return undefined
  }

  newsToRead(): undefined {
    return undefined
  }

  follow(): () => void {
    return () => {}
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}
