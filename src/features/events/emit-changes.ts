import type { Request } from 'express'
import type { Commit, RowsEffect } from '../../core/engine/data/store.ts'
import type { Engine, EngineAccess } from '../../core/engine/engine.ts'
import { engineFor } from '../../core/engine/engine-for.ts'
import { countRows } from '../../core/engine/read-rows.ts'
import { requireRight } from '../../core/engine/rules/check-access.ts'
import { readableEffects, resourcesBelow } from '../../core/engine/rules/readable-effects.ts'
import { type Access, rightsIn } from '../../core/engine/rules/rights.ts'
import { TrackedRead } from '../../core/engine/tracked-read.ts'
import { callers } from '../../core/kernel/http/request-context.ts'
import type { Clock } from '../../core/kernel/util/clock.ts'
import type { Changed, ChangeEvent, Feed } from '../../core/kernel/util/feed.ts'
import type { EventFilter, Missed } from './event-reader.ts'

/** Reports every change of the data to the feed, in order. */
export function emitChanges(engine: Engine, feed: Feed): void {
  let turn: Promise<unknown> = Promise.resolve()
  engine.subscribe((commit) => {
    if (!feed.hasListeners || commit.meta.isRecorded) return
    const described = describeAll(engine, commit.names)
    turn = turn.then(async () => feed.emit(changeEvent(commit, await described))).catch(() => {})
  })
}

export async function missedChanges(engine: Engine, since: number): Promise<Missed> {
  await engine.catchUp()
  const { version } = engine.history
  const commits = engine.history.since(since)
  if (!commits) return { events: undefined, version }
  const names = [...new Set(commits.flatMap((each) => each.names))]
  const counted = names.map((name) => changed(name, engine.database.table(name)?.size))
  return { events: countedBack(commits, counted), version }
}

function countedBack(commits: readonly Commit[], counted: readonly Changed[]): readonly ChangeEvent[] {
  const counts = new Map(counted.map(({ name, count }) => [name, count]))
  const events: ChangeEvent[] = []
  // Backwards: each count is the one after the commit, minus its growth.
  for (const each of commits.toReversed()) {
    const resources = each.names.map((name) => changed(name, counts.get(name)))
    if (!each.meta.isRecorded) events.unshift(changeEvent(each, resources))
    for (const effect of each.effects ?? []) {
      const count = counts.get(effect.name)
      if (effect.kind === 'rows' && count !== undefined) {
        counts.set(effect.name, count - growthOf(effect))
      }
    }
  }
  return events
}

function growthOf({ rows }: RowsEffect): number {
  return rows.reduce(
    (sum, { before, after }) => sum + Number(after !== undefined) - Number(before !== undefined),
    0,
  )
}

/** Without counts if they cannot be read: clients can read the data later. */
function describeAll(engine: EngineAccess, names: readonly string[]): Promise<readonly Changed[]> {
  const counted = names.map(async (name) => changed(name, await countRows(engine, name)))
  return Promise.all(counted).catch(() => names.map((name) => ({ name })))
}

const commitOf = new WeakMap<ChangeEvent, Commit>()

function changeEvent(commit: Commit, resources: readonly Changed[]): ChangeEvent {
  const { time, version } = commit
  const event: ChangeEvent = {
    type: 'change',
    data: { time: new Date(time).toISOString(), resources },
    version,
  }
  commitOf.set(event, commit)
  return event
}

/** The readable part of a change: resources without a readable change are neither named nor counted. */
export async function readableChange(
  engine: Engine,
  event: ChangeEvent,
  access: Access,
): Promise<ChangeEvent | undefined> {
  const effects = commitOf.get(event)?.effects
  const data = new TrackedRead(engine)
  const seen = effects && (await readableEffects(data, effects, access))
  const names = seen && new Set(seen.map(({ name }) => name))
  const isReadable = (name: string) =>
    rightsIn(access, name).read.reach !== 'none' && names?.has(name) !== false
  const own = event.data.resources.filter(({ name }) => isReadable(name))
  const below = [...(await resourcesBelow(data, seen ?? [], access))].filter((name) => !names?.has(name))
  const readable: readonly Changed[] = [...own, ...below.map((name) => ({ name }))]
  if (readable.length === 0) return undefined
  const limited = readable
    .filter(({ name }) => rightsIn(access, name).read.reach === 'some')
    .map(({ name }) => name)
  const counted = new Map(
    (await describeAll(engineFor(engine, access), limited)).map((each) => [each.name, each]),
  )
  const resources = readable.map((each) => counted.get(each.name) ?? each)
  return { ...event, data: { ...event.data, resources } }
}

function changed(name: string, count: number | undefined): Changed {
  return count === undefined ? { name } : { name, count }
}

export function eventFilterFor(req: Request, access: Access, engine: Engine, clock: Clock): EventFilter {
  const caller = callers.get(req)
  const { expiresAt } = caller ?? {}
  return {
    checkReadable(resources) {
      const names = [...resources]
      if (names.some((name) => rightsIn(access, name).read.reach !== 'none')) return
      for (const name of names) requireRight(access, name, 'read')
    },
    isOpen: async () => (await caller?.isStill?.()) ?? true,
    onEnd: (end) => (expiresAt === undefined ? () => {} : clock.at(expiresAt, end)),
    includesRequests: access.isAdmin,
    readable: (event) => readableChange(engine, event, access),
  }
}
