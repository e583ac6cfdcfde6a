import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import type { FoundByKind, Question, QuestionKind, Reading, ReadOptions } from '../question.ts'
import type { Naming } from '../types.ts'
import type { View } from '../view.ts'
import type { Engine, EngineAccess } from './engine.ts'

const viewed = new WeakMap<Engine, WeakMap<View, EngineAccess>>()

/** The engine restricted to what a client may see and do. Memoized, so that caches per engine keep working. */
export function seenBy(engine: Engine, view: View): EngineAccess {
  const views = viewed.get(engine) ?? new WeakMap<View, EngineAccess>()
  viewed.set(engine, views)
  const known = views.get(view) ?? new ViewedEngine(engine, view)
  views.set(view, known)
  return known
}

class ViewedEngine implements EngineAccess {
  readonly #engine: Engine
  readonly #view: View

  constructor(engine: Engine, view: View) {
    this.#engine = engine
    this.#view = view
  }

  get naming(): Naming {
    return this.#engine.naming
  }

  get state(): object {
    return this.#engine.state
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
  ): Promise<Reading<FoundByKind[K]>> {
    return this.#engine.read(question, { ...options, view: this.#view })
  }

  write<K extends ChangeKind>(change: Change<K>, options?: WriteOptions): Promise<OutcomeByKind[K]> {
    return this.#engine.write(change, { ...options, view: this.#view })
  }

  declares(collection: string, field: string): boolean {
    return this.#engine.declares(collection, field)
  }

  catchUp(): Promise<void> | undefined {
    return this.#engine.catchUp()
  }

  refresh(): Promise<boolean> {
    return this.#engine.refresh()
  }
}
