/** A body that is being received, or was and whose request is not answered yet. */
export class LargeBody {
  size = 0
  received = 0
  isRead = false
  isGone = false
  /** What had been received at the last check for stalled bodies. */
  checked = 0
  /** Checks since it began to wait, or since another body left. */
  waited = 0
  admit: () => void = () => {}
  evict: () => void = () => {}
  /** Resolves if there was no room for too long, or if it stalled while others waited for room. */
  readonly evicted = new Promise<'busy'>((resolve) => {
    this.evict = () => resolve('busy')
  })
}

export interface BodyRoomOptions {
  readonly size: number
  /** Milliseconds between checks for stalled bodies, while others wait for room. */
  readonly stall: number
  /** Checks that a body waits while no other leaves. */
  readonly patience: number
}

/** Bytes that a body must have grown by between two checks. */
const ENOUGH = 16 * 1024

/** Limits the memory of large bodies until their requests are answered. Stalled bodies make room for waiting ones. */
export class BodyRoom {
  readonly #options: BodyRoomOptions
  readonly #inside = new Set<LargeBody>()
  readonly #waiting = new Set<LargeBody>()
  #free: number
  #timer: NodeJS.Timeout | undefined

  constructor(options: BodyRoomOptions) {
    this.#options = options
    this.#free = options.size
  }

  /** Resolves once this many bytes are reserved, or the body is gone. */
  async enter(body: LargeBody, size: number): Promise<void> {
    if (body.isGone) return
    body.size = size
    this.#waiting.add(body)
    this.#admit()
    if (!this.#waiting.has(body)) return
    this.#checkLater()
    await new Promise<void>((resolve) => {
      body.admit = resolve
    })
  }

  /** From now on, the body takes no more than was received. */
  finish(body: LargeBody): void {
    if (!this.#inside.has(body)) return
    this.#free += body.size - body.received
    body.size = body.received
    body.isRead = true
    this.#admit()
  }

  leave(body: LargeBody): void {
    body.isGone = true
    body.admit()
    this.#waiting.delete(body)
    if (!this.#inside.delete(body)) return
    this.#free += body.size
    for (const other of this.#waiting) other.waited = 0
    this.#admit()
  }

  /** Smaller bodies overtake those that do not fit yet. */
  #admit(): void {
    for (const body of this.#waiting) {
      if (body.size > this.#free) continue
      this.#waiting.delete(body)
      this.#inside.add(body)
      this.#free -= body.size
      body.checked = body.received
      body.admit()
    }
  }

  #checkLater(): void {
    // Lets data that already arrived be read first: the event loop may have been busy.
    this.#timer ??= setTimeout(() => setImmediate(() => this.#check()), this.#options.stall)
  }

  #check(): void {
    this.#timer = undefined
    for (const body of this.#waiting) {
      body.waited += 1
      if (body.waited > this.#options.patience) this.#evict(body)
    }
    for (const body of this.#inside) {
      if (this.#waiting.size === 0) return
      if (body.isRead) continue
      if (body.received - body.checked < ENOUGH) this.#evict(body)
      else body.checked = body.received
    }
    if (this.#waiting.size > 0) this.#checkLater()
  }

  #evict(body: LargeBody): void {
    body.evict()
    this.leave(body)
  }
}
