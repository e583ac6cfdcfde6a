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
const idle: PostgresEngine[] = []

/**
 * An engine with this data in a database. It may have had other data before, and has a history then; and a reset goes back to
 * what was first.
 */
export async function lendEngine(data: Data, { id, foreignKeySuffix }: Naming): Promise<Lent> {
  const at = idle.findIndex(({ naming }) => naming.id === id && naming.foreignKeySuffix === foreignKeySuffix)
  const [used] = at < 0 ? [] : idle.splice(at, 1)
  await used?.write({ kind: 'replace-database', data })
  const engine =
    used ?? (await openPostgres(await freshAddress(), { id, foreignKeySuffix, sample: () => data }))
  const leave = listeningThrough(engine)
  return {
    engine,
    giveBack() {
      leave()
      engine.useRules(undefined)
      idle.push(engine)
    },
  }
}

/** Once nobody asks for them any more. */
export async function closeLent(): Promise<void> {
  for (const engine of idle.splice(0)) await engine.close()
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
