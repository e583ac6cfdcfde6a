import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openToRefill, type Refillable, refill, restore } from '../../../src/stores/file/overwrite-file.ts'
import { folderOf } from '../../support/folder.ts'

let path: string
beforeEach(() => {
  path = join(folderOf(), 'db.json')
})

const jsonOf = (rows: number) => JSON.stringify({ rows: Array.from({ length: rows }, (_, id) => ({ id })) })

/** The file, with somebody who is asked before, and told after, each step that changes it. */
function watched(
  found: Refillable,
  { before = () => {}, after = () => {} }: { before?: () => void; after?: () => void },
): Refillable {
  const file = new Proxy(found.file, {
    get(real, name) {
      const method: unknown = Reflect.get(real, name)
      if (typeof method !== 'function') return method
      const isStep = name === 'writev' || name === 'truncate'
      return async (...args: readonly unknown[]) => {
        if (isStep) before()
        const done: unknown = await Reflect.apply(method, real, args)
        if (isStep) after()
        return done
      }
    },
  })
  return { ...found, file }
}

describe('a file that is overwritten in place', () => {
  it.each([
    ['longer', 3, 5000],
    ['shorter', 5000, 3],
    ['empty of rows', 5000, 0],
    ['as long', 900, 900],
  ])('holds the old or the new after every step, when the new is %s', async (_, before, after) => {
    writeFileSync(path, jsonOf(before))
    const { ino } = statSync(path)
    const seen: unknown[] = []
    const look = () => seen.push(JSON.parse(readFileSync(path, 'utf8')))
    const written = await openToRefill(path, (found) =>
      refill(watched(found, { after: look }), Buffer.from(jsonOf(after))),
    )
    expect(readFileSync(path, 'utf8')).toBe(jsonOf(after))
    expect(seen.length).toBeGreaterThan(0)
    for (const data of seen)
      expect([JSON.parse(jsonOf(before)), JSON.parse(jsonOf(after))]).toContainEqual(data)
    expect(statSync(path, { bigint: true })).toMatchObject({ ino: BigInt(ino), mtimeNs: written.mtimeNs })
  })

  it.each([1, 2])('has its old contents again when the disk refuses at write %i', async (refused) => {
    writeFileSync(path, jsonOf(3))
    let steps = 0
    const before = () => {
      steps += 1
      if (steps === refused) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    await openToRefill(path, async (found) => {
      const refilled = refill(watched(found, { before }), Buffer.from(jsonOf(5000)))
      await expect(refilled).rejects.toMatchObject({ code: 'ENOSPC' })
      await restore(found)
    })
    expect(readFileSync(path, 'utf8')).toBe(jsonOf(3))
  })

  it('gets a new modification time with every save, however quick they are and whatever the clock says', async () => {
    writeFileSync(path, jsonOf(9))
    const times = new Set<bigint>()
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000)
    for (let save = 0; save < 50; save += 1) {
      const written = await openToRefill(path, (found) => refill(found, Buffer.from(jsonOf(9))))
      times.add(written.mtimeNs)
    }
    now.mockRestore()
    expect(times.size).toBe(50)
  })
})
