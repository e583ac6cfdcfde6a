import type { Engine } from '../engine.ts'
import { higherId, nextId } from '../table/next-id.ts'
import type { CreateId } from '../table/table-draft.ts'
import type { Data, Naming, Row } from '../types.ts'
import type { Keeper } from './keeper.ts'
import type { LocalData } from './local-data.ts'

/**
 * The data itself, for those who change it by themselves: json-server's `router.db`, and whoever handed in an object.
 * Not a part of the contract, since no other engine has it to give.
 */
export class LiveData {
  readonly #local: LocalData
  readonly #keeper: Keeper
  readonly #announce: (names: readonly string[]) => void

  constructor(local: LocalData, keeper: Keeper, announce: (names: readonly string[]) => void) {
    this.#local = local
    this.#keeper = keeper
    this.#announce = announce
  }

  /** The same object until `setState` puts another in its place, and its arrays with it. */
  get data(): Data {
    return this.#local.data
  }

  get naming(): Naming {
    return this.#local.naming
  }

  /** Hands the data out: from now on every reading says that it is neither current nor stable. */
  share(): Data {
    this.#local.share()
    this.#keeper.share()
    return this.data
  }

  useId(id: string): void {
    this.#local.useId(id)
  }

  /** How ids are made from now on, where it gives one. */
  set createId(createId: CreateId | undefined) {
    this.#local.createId = createId
  }

  /** The id that a row added to these would get. */
  nextId(rows: readonly Row[]): unknown {
    const { id } = this.naming
    return nextId(rows.reduce<unknown>((highest, row) => higherId(highest, row, id), undefined))
  }

  /** Serves another object from now on, not saved yet. */
  setState(data: Data): void {
    this.#announce(this.#local.setState(data))
  }

  /** Saves the data as it is: for those who changed it in place. */
  async save(): Promise<void> {
    const saveNow = () => this.#keeper.save(this.data)
    await this.#keeper.inTurn(() => this.#keeper.exclusively(saveNow))
    this.#local.noteChange()
    this.#announce(this.#local.names())
  }

  /** Takes over what the medium holds, synchronously. While saves are under way, they see to that themselves. */
  reloadSync(): void {
    const data = this.#keeper.readSync()
    if (data) this.#announce(this.#local.adopt(data))
  }
}

/** Undefined for an engine that keeps its data elsewhere. */
export function liveDataOf(engine: Engine): LiveData | undefined {
  const live: unknown = Reflect.get(engine, 'live')
  return live instanceof LiveData ? live : undefined
}
