export interface Snapshot {
  /** `db-1700000000000`, or `db-1700000000000-1` for the second in the same millisecond. */
  readonly id: string
  readonly file: string
  readonly createdAt: string
}

const ID = /^db-(\d{1,15})(?:-(\d{1,6}))?$/

/** Nothing that could lead out of a directory is one. */
export function isSnapshotId(text: string): boolean {
  return ID.test(text)
}

/** Candidate ids for one millisecond, best first. Can be iterated again. */
export function snapshotIds(time: number): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield `db-${time}`
      for (let count = 1; count < 1_000_000; count += 1) yield `db-${time}-${count}`
    },
  }
}

export function describeSnapshot(id: string): Snapshot {
  return { id, file: `${id}.json`, createdAt: new Date(partsOf(id).time).toISOString() }
}

export function describeSnapshots(ids: readonly string[]): Snapshot[] {
  return ids.filter(isSnapshotId).sort(newestFirst).map(describeSnapshot)
}

function newestFirst(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  return other.time - one.time || other.count - one.count
}

function partsOf(id: string): { time: number; count: number } {
  const [, time, count] = ID.exec(id) ?? []
  return { time: Number(time), count: Number(count ?? 0) }
}
