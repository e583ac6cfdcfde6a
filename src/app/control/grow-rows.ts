import { StorageError } from '../../catalogue/error-classes.ts'
import type { Cause, WriteOptions } from '../../storage/change.ts'
import type { Row } from '../../storage/types.ts'
import type { Insert } from './additions.ts'
import { type Ground, Growth } from './growth.ts'
import type { WantedRows } from './wanted-rows.ts'

export interface GrowRowsOptions {
  /** By default, the number of rows: the same data grows alike, and goes on with other rows. */
  readonly seed?: number | undefined
  readonly cause?: Cause | undefined
  /** Hashes passwords among the fields that are sent. */
  readonly seal?: ((insert: Insert) => Promise<Pick<WriteOptions, 'seals'>> | undefined) | undefined
}

export interface GrownRows {
  /** How many rows of each collection were added, missing parents included. */
  readonly created: Readonly<Record<string, number>>
  /** What is stored of the rows that were given some fields. */
  readonly rows: Readonly<Record<string, readonly Row[]>>
}

/** Others may take an id, or a unique value, before the rows are stored. */
const MOST_ROUNDS = 5
const RACES: ReadonlySet<string> = new Set(['DUPLICATE_ID', 'NOT_UNIQUE', 'VALIDATION_FAILED'])

/** Adds rows like those that are there, with the parents that they miss, in one commit. */
export async function growRows(
  wanted: WantedRows,
  ground: Ground,
  options: GrowRowsOptions = {},
): Promise<GrownRows> {
  const { engine } = ground
  for (let round = 1; ; round++) {
    await engine.catchUp()
    const { state } = engine
    try {
      return await growOnce(wanted, ground, options)
    } catch (error) {
      const isRace = error instanceof StorageError && RACES.has(error.code) && engine.state !== state
      if (!isRace || round === MOST_ROUNDS) throw error
    }
  }
}

async function growOnce(
  wanted: WantedRows,
  ground: Ground,
  { seed, cause, seal }: GrowRowsOptions,
): Promise<GrownRows> {
  const sealed = []
  for (const [collection, rows] of wanted) {
    if (typeof rows !== 'number') sealed.push(await seal?.({ kind: 'insert', collection, rows }))
  }
  const write = { ...cause, seals: sealed.flatMap((each) => each?.seals ?? []) }
  const growth = new Growth(ground, wanted, write, seed)
  for (const name of wanted.keys()) await growth.addWanted(name)
  const stored = await growth.additions.commit()
  const counts = [...stored].map(([name, rows]) => [name, rows.length])
  const sent = [...growth.positions].map(([name, { start, count }]) => {
    return [name, stored.get(name)?.slice(start, start + count) ?? []]
  })
  return { created: Object.fromEntries(counts), rows: Object.fromEntries(sent) }
}
