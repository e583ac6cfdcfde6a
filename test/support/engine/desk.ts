import { Database } from '../../../src/core/engine/data/database.ts'
import { Engine, type EngineOptions } from '../../../src/core/engine/engine.ts'
import type { Data } from '../../../src/core/engine/types.ts'
import { type DataFile, FileStore } from '../../../src/stores/file/file-store.ts'
import { Serializer } from '../../../src/stores/formats/serialize.ts'
import { liveDataOf } from '../../../src/stores/live/live-data.ts'

/** A file in memory that can be made to refuse, to wait, and to be written by somebody else. */
export class Desk implements DataFile {
  saves = 0
  refuses = false
  isForeign = false
  isSaving = false
  gate: Promise<void> = Promise.resolve()
  readonly #serializer = new Serializer()
  /** Decoded when somebody looks: most saves are never looked at. */
  #saved: string | readonly Uint8Array[]

  constructor(data: Data) {
    this.#saved = JSON.stringify(data, null, 2)
  }

  get saved(): string {
    if (typeof this.#saved !== 'string') this.#saved = Buffer.concat(this.#saved).toString()
    return this.#saved
  }

  set saved(text: string) {
    this.#saved = text
  }

  async read(): Promise<Database> {
    this.isForeign = false
    return Database.of(JSON.parse(this.saved))
  }

  readSync(): Data {
    return JSON.parse(this.saved)
  }

  async write(database: Database): Promise<void> {
    this.isSaving = true
    const pieces = await this.#serializer.serialize(database)
    await this.gate
    this.isSaving = false
    if (this.refuses) throw Object.assign(new Error('disk is full at /secret/path'), { code: 'ENOSPC' })
    this.saves++
    this.#saved = pieces
  }

  async changedOutside(): Promise<boolean> {
    return this.isForeign
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  /** Somebody else writes it. */
  edit(data: Data): void {
    this.saved = JSON.stringify(data)
    this.isForeign = true
  }
}

interface DeskOptions extends Partial<EngineOptions> {
  /** Whether others hold the data too, and may change it in place. */
  readonly isShared?: boolean
}

/** An engine that saves a copy of this data to a desk. */
export function openOnDesk(
  data: Data,
  { isShared = false, ...options }: DeskOptions = {},
): { readonly engine: Engine; readonly desk: Desk } {
  const desk = new Desk(data)
  const database = Database.of(structuredClone(data))
  const store = new FileStore(desk, database)
  const engine = new Engine(database, { id: 'id', foreignKeySuffix: 'Id', store, ...options })
  if (isShared) liveDataOf(engine)
  return { engine, desk }
}
