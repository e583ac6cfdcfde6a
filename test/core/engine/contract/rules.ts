import { describe, expect, it } from 'vitest'
import type { Commit } from '../../../../src/core/engine/data/store.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import type { ResourceRules } from '../../../../src/core/engine/resource-rules.ts'
import { DATA } from './data.ts'
import type { EngineUnderTest } from './engine-under-test.ts'
import { BREACHES, OTHERS, WAYS } from './rule-refusals.ts'
import { RULED_CHANGES } from './ruled-changes.ts'
import { NOW, RULED, RULES } from './rules-data.ts'

/** What rules do in every engine, in every way there is to write. */
export function describeRules({ open, stateOf }: EngineUnderTest): void {
  describe('under rules', () => {
    async function openRuled(): Promise<Engine> {
      const engine = await open(RULED)
      await engine.useRules(RULES)
      return engine
    }

    it.each(RULED_CHANGES)('%s', async (_, change, outcome, left, options) => {
      const engine = await openRuled()
      expect(await engine.write(change, { ...options, dryRun: true })).toEqual(outcome)
      expect(await stateOf(engine)).toEqual(RULED)
      expect(await engine.write(change, options)).toEqual(outcome)
      expect(await stateOf(engine)).toEqual(left(RULED))
    })

    describe('refuses, and leaves nothing of,', () => {
      const every = WAYS.flatMap(([way, change, prefix]) =>
        BREACHES.map(([rule, fields, code, errors]) => {
          const named = Object.entries(errors).map(([name, message]) => [`${prefix}${name}`, message])
          return { way, rule, change: change(fields), reason: { code, errors: Object.fromEntries(named) } }
        }),
      )
      const others = OTHERS.map(([way, change, reason]) => ({ way, rule: 'a rule', change, reason }))

      it.each([...every, ...others])('$way that breaks $rule', async ({ change, reason }) => {
        const engine = await openRuled()
        const commits: Commit[] = []
        engine.subscribe((commit) => commits.push(commit))
        const answers = await Promise.allSettled([
          engine.write({ kind: 'insert', collection: 'tags', rows: [{}] }),
          engine.write(change),
          engine.write({ kind: 'insert', collection: 'tags', rows: [{}] }),
        ])
        expect(answers).toMatchObject([{ status: 'fulfilled' }, { reason }, { status: 'fulfilled' }])
        expect(await stateOf(engine)).toEqual({ ...RULED, tags: [...RULED.tags, { id: 4 }, { id: 5 }] })
        expect(commits.map(({ names }) => names)).toEqual([['tags'], ['tags']])
        await expect(engine.write(change, { dryRun: true })).rejects.toMatchObject(reason)
      })

      it('a row whose precondition does not hold, whatever else is wrong with it', async () => {
        const engine = await openRuled()
        const change = { kind: 'replace', collection: 'posts', id: '1', fields: { title: '' } } as const
        const seen = engine.write(change, { unchangedSince: { id: 1 } })
        await expect(seen).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
      })
    })

    it('leaves timestamps where they are', async () => {
      const row = { createdAt: 'a', id: 1, updatedAt: 'b', text: 'x' }
      const engine = await open({ comments: [row] })
      await engine.useRules(RULES)
      const fields = { createdAt: 'c', text: 'y' }
      await engine.write({ kind: 'merge', collection: 'comments', id: '1', fields })
      const stored = JSON.stringify((await stateOf(engine)).comments)
      expect(stored).toBe(JSON.stringify([{ ...row, updatedAt: NOW, text: 'y' }]))
    })

    it('lets exactly one of many that come together have a unique value', async () => {
      const engine = await openRuled()
      const insert = () => engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'mine' }] })
      const answers = await Promise.allSettled(Array.from({ length: 50 }, insert))
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const { posts } = await stateOf(engine)
      expect(posts).toHaveLength(RULED.posts.length + 1)
    })

    it.each<[ResourceRules['ids'], RegExp]>([
      ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
      ['nanoid', /^[\w-]{21}$/],
      ['increment', /^1[01]$/],
    ])('makes ids of the kind %s, and takes those that are given', async (ids, form) => {
      const engine = await open({ things: [{ id: 'a' }, { id: '9' }, { id: 3 }] })
      await engine.useRules({ now: () => new Date(NOW), resources: new Map([['things', { ids }]]) })
      const rows = await engine.write({ kind: 'insert', collection: 'things', rows: [{}, { id: 'own' }, {}] })
      const [first, own, last] = (rows ?? []).map(({ id }) => String(id))
      expect(first).toMatch(form)
      expect(own).toBe('own')
      expect(last).toMatch(form)
      expect(first).not.toBe(last)
    })

    it('does not judge what replaces everything, and obeys other rules from the next change on', async () => {
      const engine = await openRuled()
      await engine.write({ kind: 'replace-database', data: structuredClone(DATA) })
      const twice = { kind: 'insert', collection: 'posts', rows: [{ title: 'one' }] } as const
      await expect(engine.write(twice)).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
      await engine.useRules(undefined)
      expect(await engine.write(twice)).toEqual([{ title: 'one', id: 4 }])
    })
  })
}
