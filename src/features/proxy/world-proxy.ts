import type { Commit } from '../../core/engine/data/store.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { idOf } from '../../core/engine/id-of.ts'
import type { Modes } from './modes.ts'
import type { LocalAnswers } from './recorder/local-answers.ts'
import { AnswerRecorder } from './recorder/recorder.ts'
import type { Recording } from './recorder/recording.ts'

/** State of the proxy for a world: the base, or a session. */
export class WorldProxy {
  readonly modes: Modes
  readonly recording: Recording
  /** Rows deleted here since the start or a reset: the API is not asked for them again. */
  readonly #deleted = new Set<string>()
  readonly #followed = new WeakSet<Engine>()
  #recorder:
    | { readonly of: AnswerRecorder; readonly engine: Engine; readonly answers: LocalAnswers }
    | undefined

  constructor(modes: Modes, recording: Recording) {
    this.modes = modes
    this.recording = recording
  }

  fork(): WorldProxy {
    return new WorldProxy(this.modes.fork(), this.recording.fork())
  }

  recorderFor(engine: Engine, answers: LocalAnswers, target: URL): AnswerRecorder {
    const known = this.#recorder
    if (known?.engine === engine && known.answers === answers) return known.of
    const { recording } = this
    const of = new AnswerRecorder({ engine, recording, answers, target })
    this.#recorder = { of, engine, answers }
    if (!this.#followed.has(engine)) {
      this.#followed.add(engine)
      engine.subscribe((commit) => this.#endBy(commit, engine))
    }
    return of
  }

  isDeleted(resource: string, id: string): boolean {
    return this.#deleted.has(`${resource}\n${id}`)
  }

  /** Ends what was recorded of a resource that is written. */
  endAnswers(resource: string | undefined): void {
    if (resource === undefined) return
    this.recording.end(resource)
    void this.recording.save().catch(() => {})
  }

  /** A write ends what was recorded of its resource. */
  #endBy({ names, effects, meta }: Commit, { naming }: Engine): void {
    if (meta.isRecorded) return
    if (!effects) this.#deleted.clear()
    for (const effect of effects ?? []) {
      if (effect.kind !== 'rows') continue
      for (const { before, after } of effect.rows)
        if (before && !after)
          this.#deleted.add(`${effect.name}\n${String(before[idOf(effect.name, naming)])}`)
    }
    if (effects) for (const name of names) this.recording.end(name)
    else this.recording.end()
    // What it ends on disk, a later recording or write ends there, too.
    void this.recording.save().catch(() => {})
  }
}
