import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BodyRoom, LargeBody } from '../../../src/layers/parts/body-room.ts'

const KB = 1024
const roomOf = (stall: number, patience = 1000) => new BodyRoom({ size: 100 * KB, stall, patience })

/** Enters, and shows when it is inside. */
function entering(room: BodyRoom, body: LargeBody, size: number): { isDone: boolean } {
  const state = { isDone: false }
  void room.enter(body, size).then(() => {
    state.isDone = true
  })
  return state
}

describe('the room for bodies', () => {
  it('admits a body once another has left', async () => {
    const room = roomOf(60_000)
    const [first, second] = [new LargeBody(), new LargeBody()]
    await room.enter(first, 90 * KB)
    const waiting = entering(room, second, 20 * KB)
    await sleep(0)
    expect(waiting.isDone).toBe(false)
    room.leave(first)
    await sleep(0)
    expect(waiting.isDone).toBe(true)
    expect(second.isGone).toBe(false)
    room.leave(second)
  })

  it('admits a small body before a larger one that does not fit', async () => {
    const room = roomOf(60_000)
    const [first, large, small] = [new LargeBody(), new LargeBody(), new LargeBody()]
    await room.enter(first, 60 * KB)
    const waiting = entering(room, large, 60 * KB)
    await room.enter(small, 20 * KB)
    expect(waiting.isDone).toBe(false)
    for (const body of [first, large, small]) room.leave(body)
  })

  it('keeps only what was received of a body that has been read', async () => {
    const room = roomOf(60_000)
    const [first, second] = [new LargeBody(), new LargeBody()]
    await room.enter(first, 90 * KB)
    const waiting = entering(room, second, 50 * KB)
    first.received = 10 * KB
    room.finish(first)
    await sleep(0)
    expect(waiting.isDone).toBe(true)
    for (const body of [first, second]) room.leave(body)
    await room.enter(new LargeBody(), 100 * KB)
  })

  it('evicts a body that waited too long', async () => {
    const room = roomOf(10, 1)
    const [first, second] = [new LargeBody(), new LargeBody()]
    await room.enter(first, 90 * KB)
    first.received = 90 * KB
    room.finish(first)
    const waiting = entering(room, second, 50 * KB)
    expect(await second.evicted).toBe('busy')
    await sleep(0)
    expect([waiting.isDone, second.isGone, first.isGone]).toEqual([true, true, false])
  })

  it('evicts bodies that stall, no more than needed, while others wait', async () => {
    const room = roomOf(20)
    const [slow, slower, waiter] = [new LargeBody(), new LargeBody(), new LargeBody()]
    await room.enter(slow, 50 * KB)
    await room.enter(slower, 45 * KB)
    const waiting = entering(room, waiter, 20 * KB)
    expect(await slow.evicted).toBe('busy')
    await sleep(0)
    expect([waiting.isDone, slower.isGone]).toEqual([true, false])
    room.leave(slower)
    room.leave(waiter)
  })
})
