import type { CommitOptions, News, Next, Store } from './store.ts'

/** Keeps nothing: the data lives as long as the engine. */
export class MemoryStore implements Store {
  async commit(
    change: (news: News | undefined) => Promise<Next | undefined>,
    _options: CommitOptions,
  ): Promise<void> {
    await change(undefined)
  }

  async news(_since: number): Promise<News | undefined> {
    return undefined
  }

  newsToRead(_since: number): Promise<News | undefined> | undefined {
    return undefined
  }

  follow(_changed: () => void): () => void {
    return () => {}
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}
