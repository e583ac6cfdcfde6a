/** Somebody who reads a body, and can be held up. */
export interface Reader {
  pause(): void
  resume(): void
  /** Called when there was no room for too long, or others need the room of somebody who is too slow. */
  giveUp(): void
}

/** A body that is under way, and what it has of the room. */
export interface Guest {
  readonly reader: Reader
  held: number
  /** Whether all of it is there. */
  isRead: boolean
  patience: NodeJS.Timeout | undefined
  /** Bytes that came since somebody looked; undefined where nobody did, or it was held up. */
  news: number | undefined
}

export interface BodyRoomOptions {
  /** Bytes that all bodies may have together. */
  readonly size: number
  /** Milliseconds that somebody waits while nobody else gets done. */
  readonly patience: number
  /** Milliseconds after which a body that hardly grew leaves its room to those who wait. */
  readonly stall: number
}

/** As much as a connection hands over in one piece. */
const CHUNK = 64 * 1024

/** What has to come of a body meanwhile. */
const ENOUGH = 16 * 1024

/**
 * Room for the bodies that are under way, from when they are read until they are answered. Who finds no room waits
 * until others are done. Those who have room and do not use it lose it to those who wait.
 */
export class BodyRoom {
  readonly #options: BodyRoomOptions
  /** The oldest first. */
  readonly #guests = new Set<Guest>()
  #held = 0
  /** How many have been read, and will go by themselves. */
  #read = 0
  /** Runs while somebody waits. */
  #watch: NodeJS.Timeout | undefined

  constructor(options: BodyRoomOptions) {
    this.#options = options
  }

  enter(reader: Reader): Guest {
    const guest: Guest = { reader, held: 0, isRead: false, patience: undefined, news: undefined }
    this.#guests.add(guest)
    return guest
  }

  /** Gives more room to a guest, who has to wait where there is none. */
  take(guest: Guest, bytes: number): void {
    guest.held += bytes
    this.#held += bytes
    if (guest.news !== undefined) guest.news += bytes
    if (guest.patience !== undefined || this.#mayGoOn(guest)) return
    guest.reader.pause()
    this.#wait(guest)
  }

  /** All of the guest's body is there. */
  finish(guest: Guest): void {
    stopWaiting(guest)
    guest.isRead = true
    this.#read += 1
  }

  leave(guest: Guest): void {
    if (!this.#guests.delete(guest)) return
    stopWaiting(guest)
    this.#held -= guest.held
    if (guest.isRead) this.#read -= 1
    this.#wakeUp()
  }

  /** Where everybody waits for everybody else, the oldest goes on. */
  #mayGoOn(guest: Guest): boolean {
    if (this.#held <= this.#options.size) return true
    const [oldest] = this.#guests
    return this.#read === 0 && oldest === guest
  }

  /** Somebody got done: that is worth waiting for a little longer. */
  #wakeUp(): void {
    let room = this.#options.size - this.#held
    for (const guest of this.#guests) {
      if (guest.patience === undefined) continue
      stopWaiting(guest)
      if (room > 0 || this.#mayGoOn(guest)) guest.reader.resume()
      else this.#wait(guest)
      room -= CHUNK
    }
  }

  #wait(guest: Guest): void {
    guest.patience = setTimeout(() => {
      guest.patience = undefined
      guest.reader.giveUp()
    }, this.#options.patience)
    guest.news = undefined
    this.#watchOn()
  }

  #watchOn(): void {
    this.#watch ??= setTimeout(() => {
      // What came meanwhile may not have been read: we may have been too busy.
      setImmediate(() => this.#look())
    }, this.#options.stall)
  }

  /** Whoever hardly grew since the last look has to go, as long as somebody waits. */
  #look(): void {
    this.#watch = undefined
    for (const guest of [...this.#guests]) {
      if (guest.isRead || guest.patience !== undefined) continue
      if (guest.news !== undefined && guest.news < ENOUGH && this.#isWaitedFor()) guest.reader.giveUp()
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
