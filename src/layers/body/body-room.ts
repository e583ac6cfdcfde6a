/** A body that is being received, or was and is not answered yet. */
export class Guest {
  held = 0
  isRead = false
  /** Whether its room was taken away, or its client left. */
  isGone = false
  patience: NodeJS.Timeout | undefined
  /** Bytes received since the last check; undefined if there was none, or if it was paused. */
  news: number | undefined
  /** Goes on once there is room. */
  resume: () => void = () => {}
  giveUp: () => void = () => {}
  /** Resolves if there was no room for too long, or if this body is too slow while others wait for room. */
  readonly lost = new Promise<'busy'>((resolve) => {
    this.giveUp = () => resolve('busy')
  })
}

export interface BodyRoomOptions {
  readonly size: number
  /** Milliseconds to wait for room while no other body completes. */
  readonly patience: number
  /** Milliseconds after which a body that hardly grew gives up its room if others are waiting. */
  readonly stall: number
}

/** The most a connection delivers in one chunk. */
const CHUNK = 64 * 1024

const ENOUGH = 16 * 1024

/** Backpressure: limits the memory of bodies until they are answered. Those that stall lose their room to those that wait. */
export class BodyRoom {
  readonly #options: BodyRoomOptions
  readonly #guests = new Set<Guest>()
  #held = 0
  /** How many have been read completely, and will leave on their own. */
  #read = 0
  #watch: NodeJS.Timeout | undefined

  constructor(options: BodyRoomOptions) {
    this.#options = options
  }

  /** Waits until there is room for more, or the guest is gone. */
  async take(guest: Guest, bytes: number): Promise<void> {
    if (guest.isGone) return
    this.#guests.add(guest)
    guest.held += bytes
    this.#held += bytes
    if (guest.news !== undefined) guest.news += bytes
    if (this.#mayGoOn(guest)) return
    await new Promise<void>((resolve) => {
      guest.resume = resolve
      this.#wait(guest)
    })
  }

  finish(guest: Guest): void {
    if (!this.#guests.has(guest)) return
    guest.isRead = true
    this.#read += 1
  }

  leave(guest: Guest): void {
    guest.isGone = true
    guest.resume()
    if (!this.#guests.delete(guest)) return
    stopWaiting(guest)
    this.#held -= guest.held
    if (guest.isRead) this.#read -= 1
    this.#wakeUp()
  }

  #evict(guest: Guest): void {
    guest.giveUp()
    this.leave(guest)
  }

  /** If all wait for each other, the oldest proceeds. */
  #mayGoOn(guest: Guest): boolean {
    if (this.#held <= this.#options.size) return true
    const [oldest] = this.#guests
    return this.#read === 0 && oldest === guest
  }

  /** A body completed, which restarts the patience of the others. */
  #wakeUp(): void {
    let room = this.#options.size - this.#held
    for (const guest of this.#guests) {
      if (guest.patience === undefined) continue
      stopWaiting(guest)
      if (room > 0 || this.#mayGoOn(guest)) guest.resume()
      else this.#wait(guest)
      room -= CHUNK
    }
  }

  #wait(guest: Guest): void {
    guest.patience = setTimeout(() => {
      guest.patience = undefined
      this.#evict(guest)
    }, this.#options.patience)
    guest.news = undefined
    this.#watchOn()
  }

  #watchOn(): void {
    this.#watch ??= setTimeout(() => {
      // Let data that already arrived be read first: the event loop may have been busy.
      setImmediate(() => this.#look())
    }, this.#options.stall)
  }

  /** Evicts bodies that hardly grew since the last check, as long as others wait. */
  #look(): void {
    this.#watch = undefined
    for (const guest of [...this.#guests]) {
      if (guest.isRead || guest.patience !== undefined) continue
      if (guest.news !== undefined && guest.news < ENOUGH && this.#isWaitedFor()) this.#evict(guest)
      else guest.news = 0
    }
    if (this.#isWaitedFor()) this.#watchOn()
    else for (const guest of this.#guests) guest.news = undefined
  }

  #isWaitedFor(): boolean {
    for (const { patience } of this.#guests) if (patience !== undefined) return true
    return false
  }
}

function stopWaiting(guest: Guest): void {
  clearTimeout(guest.patience)
  guest.patience = undefined
}
