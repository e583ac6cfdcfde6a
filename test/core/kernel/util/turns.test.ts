import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { Turns } from '../../../../src/core/kernel/util/turns.ts'

it('work is shared by all who ask before it begins, and by none who ask later', async () => {
  const turns = new Turns()
  let begun = 0
  const look = turns.shared(async () => ++begun)
  const first = [look(), look()]
  await Promise.resolve()
  const later = [look(), look()]
  expect(await Promise.all([...first, ...later])).toEqual([1, 1, 2, 2])
})

it('shared work takes its turn, and is tried again after a failure', async () => {
  const turns = new Turns()
  const done: string[] = []
  const look = turns.shared(async () => {
    done.push('look')
    if (done.length === 1) throw new Error('no')
  })
  const failed = look()
  const other = turns.take(async () => void done.push('other'))
  await expect(failed).rejects.toThrow('no')
  await Promise.all([other, look()])
  expect(done).toEqual(['look', 'other', 'look'])
})

it('a turn keeps nothing of what came of it', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const turns = new Turns()
  const made = await turns.take(async () => ({ row: 1 })).then((value) => new WeakRef(value))
  await vi.waitFor(() => {
    gc()
    expect(made.deref() === undefined).toBe(true)
  })
  expect(await turns.take(async () => 'next')).toBe('next')
})
