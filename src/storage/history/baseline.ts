import { deepCopy } from '../../json/patch/deep-copy.ts'
import { workAtOnce } from '../../work/in-slices.ts'
import type { Engine, MaybePromise } from '../engine.ts'
import { isRow } from '../is-row.ts'
import { asItIsNow } from '../json/pretty-json.ts'
import type { Data } from '../types.ts'

/**
 * The content that came from outside last: at the start, or with a later edit of the file. Costs no more than the rows
 * of it that were changed since, unless others may change rows in place: then it is a copy.
 */
export class Baseline {
  readonly #engine: Engine
  readonly #unsubscribe: () => void
  #content: MaybePromise<Data>
  #isCopy = false

  constructor(engine: Engine) {
    this.#engine = engine
    this.#content = this.#take()
    this.#unsubscribe = engine.subscribe(({ isOutside }) => {
      if (isOutside) this.#content = this.#take()
    })
  }

  /** A database of its own, each time. */
  async data(): Promise<Data> {
    const content = await this.#content
    return this.#isCopy ? copyOf(content) : asItIsNow(content)
  }

  /** Others may change rows of the data in place from now on. */
  copyRows(): void {
    if (this.#isCopy) return
    this.#isCopy = true
    const content = this.#content
    this.#content = content instanceof Promise ? content.then(copyOf) : copyOf(content)
  }

  close(): void {
    this.#unsubscribe()
  }

  #take(): MaybePromise<Data> {
    this.#isCopy = !(this.#engine.isStable?.() ?? true)
    const keep = ({ found }: { readonly found: Data }) => (this.#isCopy ? copyOf(found) : found)
    const reading = this.#engine.read({ kind: 'database' })
    if (!(reading instanceof Promise)) return keep(reading)
    const content = reading.then(keep)
    // `data` reports it.
    content.catch(() => {})
    return content
  }
}

function copyOf(data: Data): Data {
  const copy = workAtOnce(deepCopy(data))
  return isRow(copy) ? copy : {}
}
