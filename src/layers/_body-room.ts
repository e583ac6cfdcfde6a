/** Somebody who reads a body, and can be held up. */
export interface Reader {
  pause(): void
  resume(): void
  /** Called when there was no room for too long. */
  giveUp(): void
}

/** A body that is under way, and what it has of the room. */
export interface Guest {
  readonly reader: Reader
  held: number
  /** Whether all of it is there. */
  isRead: boolean
  patience: NodeJS.Timeout | undefined
}

export interface BodyRoomOptions {
  /** Bytes that all bodies may have together. */
  readonly size: number
  /** Milliseconds that somebody waits while nobody else gets done. */
  readonly patience: number
}

/** As much as a connection hands over in one piece. */
const CHUNK = 64 * 1024

/**
 * Room for the bodies that are under way, from when they are read until they are answered. Who finds no room waits
 * until others are done.
 */
export class BodyRoom {
  readonly #options: BodyRoomOptions
  /** The oldest first. */
  readonly #guests = new Set<Guest>()
  #held = 0
  /** How many have been read, and will go by themselves. */
  #read = 0

  constructor(options: BodyRoomOptions) {
    this.#options = options
  }

  enter(reader: Reader): Guest {
    const guest: Guest = { reader, held: 0, isRead: false, patience: undefined }
    this.#guests.add(guest)
    return guest
  }

  /** Gives more room to a guest, who has to wait where there is none. */
  take(guest: Guest, bytes: number): void {
    guest.held += bytes
    this.#held += bytes
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
  }
}

function stopWaiting(guest: Guest): void {
  clearTimeout(guest.patience)
  guest.patience = undefined
}
