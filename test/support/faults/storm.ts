import type { RealServer } from '../child/real-server.ts'
import type { Answer } from '../http/exchange.ts'
import type { Content, Ledger } from './ledger.ts'
import { Random } from './random.ts'

export interface StormOptions {
  readonly seed: number
  /** @default 10 */
  readonly clients?: number
}

/** Clients that write continuously, each to its own rows, until the server is gone or they are told to stop. */
export class Storm {
  readonly answers: Answer[] = []
  readonly #ledger: Ledger
  readonly #clients: Promise<void>[]
  #isOver = false
  #onAnswer: (() => void) | undefined

  constructor(server: RealServer, ledger: Ledger, { seed, clients = 10 }: StormOptions) {
    this.#ledger = ledger
    this.#clients = Array.from({ length: clients }, (_, number) =>
      this.#write(server, new Random(seed * 1000 + number), `s${seed}c${number}`),
    )
  }

  /** Resolves when this many requests were answered. */
  answered(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = () => {
        if (this.answers.length >= count) resolve()
      }
      this.#onAnswer()
    })
  }

  /** Resolves when every client has received its last response, or lost its connection. */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #write(server: RealServer, random: Random, name: string): Promise<void> {
    const mine: { key: string; path: string; content: Content }[] = []
    for (let turn = 0; !this.#isOver; turn += 1) {
      const key = `${name}n${turn}`
      const fresh = { key, text: 'x'.repeat(random.below(200)), count: turn }
      const row = mine[random.below(mine.length)]
      const kind = row ? random.pick(['post', 'bulk', 'put', 'patch', 'patch', 'delete']) : 'post'
      if (kind === 'post' || !row) {
        const answer = await this.#send(server, 'POST', '/items', fresh, { [key]: fresh })
        if (!answer) return
        if (answer.status === 201) mine.push({ key, path: `/items/${idIn(answer)}`, content: fresh })
      } else if (kind === 'bulk') {
        const rows = [0, 1, 2].map((part) => ({ ...fresh, key: `${key}p${part}` }))
        const asked = Object.fromEntries(rows.map((part) => [part.key, part]))
        if (!(await this.#send(server, 'POST', '/items', rows, asked))) return
      } else if (kind === 'delete') {
        const answer = await this.#send(server, 'DELETE', row.path, undefined, { [row.key]: undefined })
        if (!answer) return
        if (answer.status === 200) mine.splice(mine.indexOf(row), 1)
      } else {
        const change = { ...(kind === 'put' ? { ...fresh, key: row.key } : { count: -turn }) }
        const content = kind === 'put' ? change : { ...row.content, ...change }
        const answer = await this.#send(server, kind.toUpperCase(), row.path, change, { [row.key]: content })
        if (!answer) return
        if (answer.status === 200) row.content = content
      }
    }
  }

  /** Undefined if the connection broke: then the outcome of the request is unknown. */
  async #send(
    server: RealServer,
    method: string,
    path: string,
    body: unknown,
    asked: Readonly<Record<string, Content>>,
  ): Promise<Answer | undefined> {
    this.#ledger.ask(asked)
    const answer = await server.ask(method, path, body).catch(() => undefined)
    if (!answer) return undefined
    if (answer.status < 300) this.#ledger.confirm(...Object.keys(asked))
    else this.#ledger.refuse(...Object.keys(asked))
    this.answers.push(answer)
    this.#onAnswer?.()
    return answer
  }
}

function idIn({ body }: Answer): unknown {
  return JSON.parse(body).id
}
