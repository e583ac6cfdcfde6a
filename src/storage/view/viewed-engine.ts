import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import type { Commit, SubscribeOptions } from '../commit.ts'
import type { Engine, MaybePromise, ReadOptions } from '../engine.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from '../question.ts'
import type { Naming } from '../types.ts'
import type { View } from '../view.ts'

const viewed = new WeakMap<Engine, WeakMap<View, Engine>>()

/** An engine as one client sees it: the same object for the same view, so that what is known of it is found again. */
export function seenBy(engine: Engine, view: View): Engine {
  const views = viewed.get(engine) ?? new WeakMap<View, Engine>()
  viewed.set(engine, views)
  const known = views.get(view) ?? new ViewedEngine(engine, view)
  views.set(view, known)
  return known
}

/** Every question is asked, and every change made, in the name of one client. */
class ViewedEngine implements Engine {
  readonly #engine: Engine
  readonly #view: View

  constructor(engine: Engine, view: View) {
    this.#engine = engine
    this.#view = view
  }

  get naming(): Naming {
    return this.#engine.naming
  }

  get isRemote(): boolean {
    return this.#engine.isRemote === true
  }

  names(): readonly string[] {
    return this.#engine.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.#engine.kindOf(name)
  }

  read<K extends QuestionKind>(
    question: Question<K>,
    options?: ReadOptions,
  ): MaybePromise<Reading<FoundByKind[K]>> {
    return this.#engine.read(question, { ...options, view: this.#view })
  }

  write<K extends ChangeKind>(change: Change<K>, options?: WriteOptions): Promise<OutcomeByKind[K]> {
    return this.#engine.write(change, { ...options, view: this.#view })
  }

  /** Commits are told whole: who hands them on chooses what to show (`seen-effects.ts`). */
  subscribe(listener: (commit: Commit) => void, options?: SubscribeOptions): () => void {
    return this.#engine.subscribe(listener, options)
  }

  isStable(): boolean {
    return this.#engine.isStable?.() ?? true
  }

  declares(collection: string, field: string): boolean {
    return this.#engine.declares?.(collection, field) ?? false
  }

  refresh(): Promise<boolean> {
    return this.#engine.refresh()
  }

  close(): Promise<void> {
    return this.#engine.close()
  }
}
