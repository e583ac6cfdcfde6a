import { Serializer } from '../../../src/storage/json/serialize.ts'
import type { Medium } from '../../../src/storage/local/keeper.ts'
import type { Data } from '../../../src/storage/types.ts'

/** A medium in memory that can be made to refuse, to wait, and to be written by somebody else. */
export class Desk implements Medium {
  saved: string
  saves = 0
  refuses = false
  isForeign = false
  gate: Promise<void> = Promise.resolve()
  #serializer: Serializer | undefined = new Serializer()

  constructor(data: Data) {
    this.saved = JSON.stringify(data, null, 2)
  }

  read(): Promise<Data> {
    this.isForeign = false
    return Promise.resolve(JSON.parse(this.saved))
  }

  async write(data: Data): Promise<void> {
    const pieces = await this.#serializer?.serialize(data)
    const text = pieces ? Buffer.concat(pieces).toString() : JSON.stringify(data, null, 2)
    await this.gate
    if (this.refuses) throw Object.assign(new Error('disk is full at /secret/path'), { code: 'ENOSPC' })
    this.saves++
    this.saved = text
  }

  changedOutside(): Promise<boolean> {
    return Promise.resolve(this.isForeign)
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  share(): void {
    this.#serializer = undefined
  }
}
