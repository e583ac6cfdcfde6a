import type { RequestHandler } from 'express'
import { chain } from '../http/chain.ts'
import { bodyParser } from '../layers/body-parser.ts'

/** Handlers put in front of the API while it runs. */
export class Front {
  #handlers: readonly { readonly handler: RequestHandler }[] = []
  #run: RequestHandler | undefined

  /** Whether there are none: then nothing needs to see each request. */
  isEmpty = true

  /** Runs the handlers, the newest first, with the body parsed. */
  readonly handler: RequestHandler = (req, res, next) => {
    if (this.#run) this.#run(req, res, next)
    else next()
  }

  /** Returns how to take it away. */
  use(handler: RequestHandler): () => void {
    const entry = { handler }
    this.#set([entry, ...this.#handlers])
    return () => this.#set(this.#handlers.filter((other) => other !== entry))
  }

  #set(handlers: readonly { readonly handler: RequestHandler }[]): void {
    this.#handlers = handlers
    this.isEmpty = handlers.length === 0
    const all = handlers.map(({ handler }) => handler)
    this.#run = this.isEmpty ? undefined : chain([...bodyParser, ...all])
  }
}
