import { isDeepStrictEqual } from 'node:util'
import type { Engine } from '../../../src/storage/engine.ts'
import { openPostgres, type PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts'
import type { Data, Naming } from '../../../src/storage/types.ts'
import { freshAddress } from './cluster.ts'

/** An engine for some time. */
export interface Lent {
  readonly engine: PostgresEngine
  /** Instead of closing it: nobody who had it hears of what others do with it. */
  giveBack(): void
}

/** Those that nobody uses any more: to open one takes four times as long as to give it other data. */
const idle: Used[] = []

interface Used {
  readonly engine: PostgresEngine
  /** What time changes are made at, which differs from one who has it to the next. */
  now: () => number
  /** As JSON, the data that it was given, unless somebody was told of a change since. */
  given: string | undefined
  /** What it served then: of a new collection without rows nobody is told. */
  names: readonly string[]
}

/**
 * An engine with this data in a database. It may have had other data before, and has a history then; and a reset goes back to
 * what was first.
 */
export async function lendEngine(data: Data, naming: Naming, now = Date.now): Promise<Lent> {
  const { id, foreignKeySuffix } = naming
  const at = idle.findIndex(
    ({ engine }) => engine.naming.id === id && engine.naming.foreignKeySuffix === foreignKeySuffix,
  )
  const [found] = at < 0 ? [] : idle.splice(at, 1)
  if (found) await giveTo(found, data, now)
  const used = found ?? (await openOne(data, { id, foreignKeySuffix }, now))
  const leave = listeningThrough(used.engine)
  return {
    engine: used.engine,
    giveBack() {
      leave()
      used.engine.useRules(undefined)
      idle.push(used)
    },
  }
}

async function openOne(data: Data, naming: Naming, now: () => number): Promise<Used> {
  const about = { now, given: undefined, names: [] }
  const options = { ...naming, sample: () => data, now: () => about.now() }
  const used: Used = Object.assign(about, { engine: await openPostgres(await freshAddress(), options) })
  used.engine.subscribe(() => {
    used.given = undefined
  })
  note(used, data)
  return used
}

async function giveTo(used: Used, data: Data, now: () => number): Promise<void> {
  used.now = now
  // Waits for what the last one may have left in the queue.
  await used.engine.write({ kind: 'batch', changes: [] })
  const isAsGiven = isDeepStrictEqual(used.engine.names(), used.names)
  if (isAsGiven && used.given === JSON.stringify(data)) return
  await used.engine.write({ kind: 'replace-database', data })
  note(used, data)
}

function note(used: Used, data: Data): void {
  used.given = JSON.stringify(data)
  used.names = used.engine.names()
}

/** Once nobody asks for them any more. */
export async function closeLent(): Promise<void> {
  for (const { engine } of idle.splice(0)) await engine.close()
}

/** From now on, takes note of who listens. Returns what ends all of that. */
function listeningThrough(engine: PostgresEngine): () => void {
  const stops: (() => void)[] = []
  const subscribe: Engine['subscribe'] = engine.subscribe
  engine.subscribe = (...args) => {
    const stop = subscribe.apply(engine, args)
    stops.push(stop)
    return stop
  }
  return () => {
    for (const stop of stops) stop()
    engine.subscribe = subscribe
  }
}
