import type { Recorded } from './recorded.ts'

/** In each world. */
const MOST = 200

/** Bytes of what all worlds remember. */
const ROOM = 32 * 1024 * 1024

/** Looked at each time that so much has come in: what was remembered then, and came since, fits. */
const STEP = ROOM / 8

/** The last requests of a world. */
export class RequestLog {
  readonly #room: LogRoom
  #ring: Recorded[] = []
  #next = 0

  constructor(room: LogRoom) {
    this.#room = room
    room.join(this)
  }

  add(recorded: Recorded): void {
    this.#ring[this.#next] = recorded
    this.#next = (this.#next + 1) % MOST
    this.#room.grow(recorded.bytes)
  }

  /** Counts one again whose response has come. */
  measure(recorded: Recorded): void {
    const { bytes } = recorded
    recorded.measure()
    this.#room.grow(recorded.bytes - bytes)
  }

  get size(): number {
    let size = 0
    for (const { bytes } of this.#ring) size += bytes
    return size
  }

  /** Newest first. */
  list(): readonly Recorded[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].reverse()
  }

  clear(): void {
    this.keepAfter(Number.POSITIVE_INFINITY)
  }

  keepAfter(id: number): void {
    const kept = this.list().filter((recorded) => recorded.id > id)
    this.#ring = kept.reverse()
    this.#next = kept.length % MOST
  }
}

/** Room for the logs of all worlds together. */
export class LogRoom {
  /** Weak: a world that was only named ends silently. */
  readonly #logs = new Set<WeakRef<RequestLog>>()
  #grown = 0

  join(log: RequestLog): void {
    this.#logs.add(new WeakRef(log))
    this.grow(1024)
  }

  grow(bytes: number): void {
    this.#grown += bytes
    if (this.#grown >= STEP) this.#shrink()
  }

  /** Lets the oldest bodies go, and where there are none, the oldest requests. */
  #shrink(): void {
    this.#grown = 0
    const logs = [...this.#logs].flatMap((held) => {
      const log = held.deref()
      if (!log) this.#logs.delete(held)
      return log ?? []
    })
    let size = 0
    for (const log of logs) size += log.size
    if (size <= ROOM - STEP) return
    const all = logs.flatMap((log) => log.list()).sort((one, other) => one.id - other.id)
    for (const recorded of all) {
      if (size <= ROOM - 2 * STEP) return
      size -= recorded.bytes
      recorded.dropBodies()
      size += recorded.bytes
    }
    for (const { id, bytes } of all) {
      size -= bytes
      if (size > ROOM - 2 * STEP) continue
      for (const log of logs) log.keepAfter(id)
      return
    }
  }
}
