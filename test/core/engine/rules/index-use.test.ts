import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import type { ResourceRules } from '../../../../src/core/engine/resource-rules.ts'

const ROWS = 5000

/** Users of one company each, and how often one of their rules' fields was looked at. */
function openCounting(isFork = false) {
  let looks = 0
  const users = Array.from({ length: ROWS }, (_, n) => ({
    id: n + 1,
    get email() {
      looks++
      return `user-${n}@example.com`
    },
    get companyId() {
      looks++
      return n + 1
    },
  }))
  const companies = Array.from({ length: ROWS }, (_, n) => ({ id: n + 1 }))
  const base = new Engine({ users, companies }, { id: 'id', foreignKeySuffix: 'Id' })
  const rules: ResourceRules = {
    unique: [['email']],
    references: { companyId: { resource: 'companies', onDelete: 'restrict' } },
  }
  void base.useRules({ now: () => new Date(0), resources: new Map([['users', rules]]) })
  const engine = isFork ? base.fork(1) : base
  const counted = async (change: RowChange): Promise<number> => {
    const before = looks
    await engine.write(change).catch(() => undefined)
    return looks - before
  }
  return { engine, counted }
}

describe.each([
  ['an engine', false],
  ['a fork', true],
])('a write under rules into %s', (_kind, isFork) => {
  it.each<[string, (n: number) => RowChange]>([
    [
      'an insert that is taken',
      (n) => ({ kind: 'insert', collection: 'users', rows: [{ email: `new-${n}`, companyId: 1 }] }),
    ],
    [
      'an insert that clashes',
      () => ({ kind: 'insert', collection: 'users', rows: [{ email: 'user-7@example.com' }] }),
    ],
    ['a merge', (n) => ({ kind: 'merge', collection: 'users', id: '3', fields: { email: `new-${n}` } })],
    ['a removal that is refused', () => ({ kind: 'remove', collection: 'companies', id: '4' })],
  ])('looks at all rows once, and from then on at few: %s', async (_, change) => {
    const { counted } = openCounting(isFork)
    expect(await counted(change(0))).toBeGreaterThanOrEqual(ROWS)
    for (const n of [1, 2, 3]) expect(await counted(change(n))).toBeLessThan(20)
  })

  it('without a rule for what it changes looks at none', async () => {
    const { counted } = openCounting(isFork)
    expect(await counted({ kind: 'insert', collection: 'companies', rows: [{ name: 'x' }] })).toBe(0)
    expect(await counted({ kind: 'merge', collection: 'companies', id: '3', fields: { a: 1 } })).toBe(0)
  })

  it('finds what a long group of changes added before it, without looking at all of that again', async () => {
    const { engine } = openCounting(isFork)
    let looks = 0
    const email = (n: number) => ({
      toJSON() {
        looks++
        return `group-${n}`
      },
    })
    await engine.write({ kind: 'insert', collection: 'users', rows: [{ email: 'first' }] })
    const writes = Array.from({ length: 300 }, (_, n) =>
      engine.write({ kind: 'insert', collection: 'users', rows: [{ email: email(n % 150) }] }),
    )
    const answers = await Promise.allSettled(writes)
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(150)
    expect(looks).toBeGreaterThan(300)
    expect(looks).toBeLessThan(300 * 10)
  })
})
