import { describe, expect, it } from 'vitest'
import { Surveys } from '../../src/schema/surveys.ts'

/** Counts how often its values are looked at. */
function counted(values: readonly unknown[]) {
  let looks = 0
  const rows = values.map((value) =>
    Object.defineProperty({}, 'id', {
      enumerable: true,
      get() {
        looks++
        return value
      },
    }),
  )
  return { rows, looks: () => looks }
}

describe('surveys', () => {
  it('are kept as long as the resource is what it was', async () => {
    const { rows, looks } = counted([1, 2])
    const surveys = new Surveys()
    const first = await surveys.of('posts', { values: [null, ...rows], isCurrent: () => true })
    expect(await surveys.of('posts', { values: [null, ...rows], isCurrent: () => true })).toBe(first)
    expect(looks()).toBe(2)
  })

  it('are made again when the resource has changed, also while one is being made', async () => {
    const surveys = new Surveys()
    const old = surveys.of('posts', { values: [{ id: 1 }], isCurrent: () => false })
    const fresh = surveys.of('posts', { values: [{ id: 'a' }], isCurrent: () => true })
    expect((await old).schema.properties).toEqual({ id: { type: 'integer' } })
    expect((await fresh).schema.properties).toEqual({ id: { type: 'string' } })
  })

  it('forget resources that are gone', async () => {
    const { rows, looks } = counted([1])
    const surveys = new Surveys()
    const current = { values: [null, ...rows], isCurrent: () => true }
    await surveys.of('posts', current)
    surveys.keepOnly(new Set(['others']))
    await surveys.of('posts', current)
    expect(looks()).toBe(2)
  })
})
