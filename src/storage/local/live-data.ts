import type { Commit } from '../commit.ts'
import type { Engine } from '../engine.ts'
import { higherId, nextId } from '../table/next-id.ts'
import type { CreateId } from '../table/table-draft.ts'
import type { Data, Naming, Row } from '../types.ts'
import type { Keeper } from './keeper.ts'
import type { LocalData } from './local-data.ts'

/**
 * The data itself, for code that changes it directly: json-server's `router.db`, or the owner of an object passed in.
 * Not part of the engine contract, since other engines have no such object.
 */
export class LiveData {
  readonly #local: LocalData
  readonly #keeper: Keeper
  readonly #announce: (commit: Commit) => void

  constructor(local: LocalData, keeper: Keeper, announce: (commit: Commit) => void) {
    this.#local = local
    this.#keeper = keeper
    this.#announce = announce
  }

  /** The same object until `setState` replaces it, and the same arrays. */
  get data(): Data {
    return this.#local.data
  }

  get naming(): Naming {
    return this.#local.naming
  }

  /** Exposes the data. From now on every reading reports that it is neither current nor stable. */
  share(): Data {
    this.#local.share()
    this.#keeper.share()
    return this.data
  }

  useId(id: string): void {
    this.#local.useId(id)
  }

  /** Custom id generator, used from now on if set. */
  set createId(createId: CreateId | undefined) {
    this.#local.createId = createId
  }

  /** The id that a row added to these would get. */
  nextId(rows: readonly Row[]): unknown {
    const { id } = this.naming
    return nextId(rows.reduce<unknown>((highest, row) => higherId(highest, row, id), undefined))
  }

  /** Serves another object from now on, without saving it. */
  setState(data: Data): void {
    this.#announce({ names: this.#local.setState(data) })
  }

  /** Saves the data as it is, after it was changed in place. */
  async save(): Promise<void> {
    const saveNow = () => this.#keeper.save(() => this.data)
    await this.#keeper.inTurn(() => this.#keeper.exclusively(saveNow))
    this.#local.noteChange()
    this.#announce({ names: this.#local.names() })
  }

  /** Reloads from the medium synchronously. Does nothing during a save, which does its own reading. */
  reloadSync(): void {
    const data = this.#keeper.readSync()
    if (data) this.#announce({ names: this.#local.adopt(data), isOutside: true })
  }
}

/** Undefined for an engine that keeps its data elsewhere. */
export function liveDataOf(engine: Engine): LiveData | undefined {
  const live: unknown = Reflect.get(engine, 'live')
  return live instanceof LiveData ? live : undefined
}
