import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../../../src/storage/change.ts'
import type { Commit, SubscribeOptions } from '../../../src/storage/commit.ts'
import type { Engine, ReadOptions } from '../../../src/storage/engine.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from '../../../src/storage/question.ts'
import type { Rules } from '../../../src/storage/resource-rules.ts'
import type { Naming } from '../../../src/storage/types.ts'

/** An engine as if behind a network: every answer comes later, is a copy, and may be stale the next moment. */
export class RemoteEngine implements Engine {
  readonly #engine: Engine
  reads = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  get naming(): Naming {
    return this.#engine.naming
  }

  names(): readonly string[] {
    return this.#engine.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.#engine.kindOf(name)
  }

  async read<K extends QuestionKind>(
    question: Question<K>,
    options?: ReadOptions,
  ): Promise<Reading<FoundByKind[K]>> {
    this.reads++
    await new Promise(setImmediate)
    const { found } = await this.#engine.read(question, options)
    return { found, isStable: () => true }
  }

  write<K extends ChangeKind>(change: Change<K>, options?: WriteOptions): Promise<OutcomeByKind[K]> {
    return this.#engine.write(structuredClone(change), structuredClone(options))
  }

  subscribe(listener: (commit: Commit) => void, options?: SubscribeOptions): () => void {
    return this.#engine.subscribe(listener, options)
  }

  useRules(rules: Rules | undefined): void {
    this.#engine.useRules?.(rules)
  }

  refresh(): Promise<boolean> {
    return this.#engine.refresh()
  }

  close(): Promise<void> {
    return this.#engine.close()
  }
}
