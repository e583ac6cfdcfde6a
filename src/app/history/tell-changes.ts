import type { Missed } from '../../endpoints/events.ts'
import type { Changed, ChangeEvent, Feed } from '../../feed.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Recorded } from '../../storage/history/recorded.ts'
import type { Served } from '../../storage/history/served-engine.ts'
import { seenEffects } from '../../storage/view/seen-effects.ts'
import { seenBy } from '../../storage/view/viewed-engine.ts'
import { rightsIn, type View } from '../../storage/view.ts'
import { describeChange } from '../describe/describe-resources.ts'

/** Reports every change of the data to the feed, in order. Returns how to stop. */
export function tellChanges(served: Served, feed: Feed): () => void {
  let turn: Promise<unknown> = Promise.resolve()
  return served.history.subscribe((recorded) => {
    if (!feed.hasListeners) return
    const described = describeAll(served.engine, recorded.names)
    turn = turn.then(async () => feed.tell(changeEvent(recorded, await described))).catch(() => {})
  })
}

/** How often rows are counted again because the data changed meanwhile. */
const MOST_COUNTS = 5

/** The changes after a version, as they would have been told. */
export async function missedChanges(served: Served, since: number): Promise<Missed> {
  const { engine, history } = served
  for (let tries = 1; ; tries++) {
    await history.ready()
    const { version } = history
    const recorded = history.since(since)
    if (!recorded) return { events: undefined, version }
    const names = [...new Set(recorded.flatMap((each) => each.names))]
    const isTooBusy = tries > MOST_COUNTS
    const counted = isTooBusy ? [] : await describeAll(engine, names)
    // Where that takes time, others write meanwhile.
    if (!isTooBusy) await history.ready()
    const isOfThen = history.version === version
    if (isOfThen || isTooBusy) return { events: countedBack(recorded, counted), version }
  }
}

/** @param counted what there is after the last of them */
function countedBack(recorded: readonly Recorded[], counted: readonly Changed[]): readonly ChangeEvent[] {
  const counts = new Map(counted.map(({ name, count }) => [name, count]))
  const events: ChangeEvent[] = []
  // Backwards: each count is the next one without what came, and with what went.
  for (const each of recorded.toReversed()) {
    events.unshift(
      changeEvent(
        each,
        each.names.map((name) => changed(name, counts.get(name))),
      ),
    )
    for (const effect of each.effects ?? []) {
      const count = counts.get(effect.name)
      if (effect.kind === 'rows' && count !== undefined) {
        counts.set(effect.name, count - effect.added.length + effect.removed.length)
      }
    }
  }
  return events
}

/** Without counts if they cannot be read: clients that hear of a change can read the data later. */
function describeAll(engine: Engine, names: readonly string[]): Promise<readonly Changed[]> {
  return describeChange(engine, names).catch(() => names.map((name) => ({ name })))
}

/** What each event tells of, for clients that may not know of all of it. */
const recordedOf = new WeakMap<ChangeEvent, Recorded>()

function changeEvent(recorded: Recorded, resources: readonly Changed[]): ChangeEvent {
  const { time, version } = recorded
  const event: ChangeEvent = {
    type: 'change',
    data: { time: new Date(time).toISOString(), resources },
    version,
  }
  recordedOf.set(event, recorded)
  return event
}

/** A change as a client may know of it: resources of which it sees no row change are not named, nor counted. */
export async function changeSeenBy(
  { engine }: Served,
  event: ChangeEvent,
  view: View,
): Promise<ChangeEvent | undefined> {
  const effects = recordedOf.get(event)?.effects
  const seen = effects && new Set(seenEffects(effects, view).map(({ name }) => name))
  const isSeen = (name: string) => rightsIn(view, name).read.reach !== 'none' && seen?.has(name) !== false
  const told = event.data.resources.filter(({ name }) => isSeen(name))
  if (told.length === 0) return undefined
  const own = told.filter(({ name }) => rightsIn(view, name).read.reach === 'own').map(({ name }) => name)
  const counted = new Map((await describeAll(seenBy(engine, view), own)).map((each) => [each.name, each]))
  const resources = told.map((each) => counted.get(each.name) ?? each)
  return { ...event, data: { ...event.data, resources } }
}

function changed(name: string, count: number | undefined): Changed {
  return count === undefined ? { name } : { name, count }
}
