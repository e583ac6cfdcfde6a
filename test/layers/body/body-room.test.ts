import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BodyRoom, Guest } from '../../../src/layers/body/body-room.ts'

const KB = 1024
const roomOf = (patience: number, stall = 60_000) => new BodyRoom({ size: 100 * KB, patience, stall })

/** Takes more than there is, and tells when it goes on. */
function taking(room: BodyRoom, guest: Guest, bytes: number): { isDone: boolean } {
  const state = { isDone: false }
  void room.take(guest, bytes).then(() => {
    state.isDone = true
  })
  return state
}

describe('the room for bodies', () => {
  it('lets a body go on once another has left', async () => {
    const room = roomOf(60_000)
    const [first, second] = [new Guest(), new Guest()]
    await room.take(first, 90 * KB)
    const waiting = taking(room, second, 20 * KB)
    await sleep(0)
    expect(waiting.isDone).toBe(false)
    room.finish(first)
    room.leave(first)
    await sleep(0)
    expect(waiting.isDone).toBe(true)
    expect(second.isGone).toBe(false)
  })

  it('lets the oldest go on if all wait for each other', async () => {
    const room = roomOf(60_000)
    const [first, second] = [new Guest(), new Guest()]
    await room.take(first, 60 * KB)
    const waiting = taking(room, second, 60 * KB)
    const oldest = taking(room, first, 60 * KB)
    await sleep(0)
    expect([oldest.isDone, waiting.isDone]).toEqual([true, false])
    room.leave(first)
    room.leave(second)
  })

  it('gives up a body that waited too long', async () => {
    const room = roomOf(20)
    const [first, second] = [new Guest(), new Guest()]
    await room.take(first, 90 * KB)
    const waiting = taking(room, second, 20 * KB)
    expect(await second.lost).toBe('busy')
    await sleep(0)
    expect([waiting.isDone, second.isGone, first.isGone]).toEqual([true, true, false])
  })

  it('takes room from bodies that stall, no more than is needed, while others wait', async () => {
    const room = roomOf(60_000, 20)
    const [slow, slower, waiter] = [new Guest(), new Guest(), new Guest()]
    await room.take(slow, 50 * KB)
    await room.take(slower, 45 * KB)
    const waiting = taking(room, waiter, 20 * KB)
    expect(await slow.lost).toBe('busy')
    await sleep(0)
    expect([waiting.isDone, slower.isGone]).toEqual([true, false])
    room.leave(slower)
    room.leave(waiter)
  })
})
