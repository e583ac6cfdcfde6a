import type { RequestHandler } from 'express'
import { chain } from '../core/kernel/http/chain.ts'
import { createBodyParser } from '../core/layers/body-parser.ts'

/** An object of its own for each `use`: the same handler may be put in front twice. */
interface Entry {
  readonly handler: RequestHandler
}

/** Handlers put in front of the API while it runs. */
export class TestHandlers {
  #entries: readonly Entry[] = []
  #run: RequestHandler | undefined
  readonly #readBody: RequestHandler

  /** Whether there are any. */
  isOn = false

  constructor(log: (line: string) => void) {
    this.#readBody = createBodyParser({ log })
  }

  /** Runs the handlers, the newest first, with the body parsed. */
  readonly handler: RequestHandler = (req, res, next) => {
    if (this.#run) this.#run(req, res, next)
    else next()
  }

  use(handler: RequestHandler): () => void {
    const entry = { handler }
    this.#set([entry, ...this.#entries])
    return () => this.#set(this.#entries.filter((other) => other !== entry))
  }

  #set(entries: readonly Entry[]): void {
    this.#entries = entries
    this.isOn = entries.length > 0
    const handlers = entries.map(({ handler }) => handler)
    this.#run = this.isOn ? chain([this.#readBody, ...handlers]) : undefined
  }
}
