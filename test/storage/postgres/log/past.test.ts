import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { StorageError } from '../../../../src/errors.ts'
import type { RowChange } from '../../../../src/storage/change.ts'
import type { Engine } from '../../../../src/storage/engine.ts'
import { History } from '../../../../src/storage/history/history.ts'
import { isRow } from '../../../../src/storage/is-row.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { Data } from '../../../../src/storage/types.ts'
import { change, parts } from '../../../support/model/random-changes.ts'
import { table } from '../../../support/model/random-table.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const RUNS = Number(process.env.FUZZ_RUNS ?? 3)
const MB = 1024 * 1024

interface Instance {
  readonly engine: Engine
  readonly history: History
}

type Step =
  | { readonly do: 'write'; readonly changes: readonly RowChange[] }
  /** A version that was there, by its place among all of them. */
  | { readonly do: 'undo' | 'redo'; readonly which?: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map((changes): Step => ({ do: 'write', changes })),
  },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ do: 'undo' }, { do: 'redo' }) },
  fc
    .tuple(fc.constantFrom('undo' as const, 'redo' as const), fc.nat({ max: 30 }))
    .map(([verb, which]): Step => ({ do: verb, which })),
)

function asStored<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value))
}

async function stateOf(engine: Engine): Promise<string> {
  return JSON.stringify((await engine.read({ kind: 'database' })).found)
}

/** Everything that a history tells, its versions replaced by how many changes there were until then. */
function told(
  history: History,
  countOf: ReadonlyMap<number, number>,
  versions: Iterable<number> = countOf.keys(),
): unknown {
  const counts = (versions: readonly number[] | undefined) => versions?.map((version) => countOf.get(version))
  return {
    list: history.list(2000).map(({ version, names, effects, undoes, redoes, bytes, top }) => ({
      ...{ version: countOf.get(version), top: countOf.get(top), names, bytes },
      ...{ undoes: counts(undoes), redoes: counts(redoes), isUndone: history.isUndone(version) },
      effects: asStored(effects),
    })),
    since: [...versions].map((version) => history.since(version)?.length),
  }
}

describe.skipIf(!hasPostgres)(`the past of a database${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  const opened: PostgresEngine[] = []
  async function open(address: string, data: Data = {}, now = () => 7): Promise<Instance> {
    const engine = await openPostgres(address, { ...naming, sample: () => data, now })
    opened.push(engine)
    const history = new History(engine, { now })
    await history.ready()
    return { engine, history }
  }
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
  })

  async function openTwo(data: Data): Promise<readonly [Instance, Instance, string]> {
    const address = await freshAddress()
    return [await open(address, data), await open(address), address]
  }

  it('is what one process would remember, on every instance and on those that start later', {
    timeout: 600_000,
  }, async () => {
    const [one, two, address] = await openTwo({})
    await fc.assert(
      fc.asyncProperty(table, fc.array(step, { minLength: 4, maxLength: 10 }), async (items, steps) => {
        // Made-up ids are different each time: where ids are numbers, none is made up.
        const numbered = items.map((row, at) =>
          isRow(row) && typeof row.id !== 'number' ? { ...row, id: at + 1 } : row,
        )
        const data = asStored<Data>({ items: numbered, parts, profile: { a: 1 } })
        await one.engine.write({ kind: 'replace-database', data })
        const engine = new LocalEngine(asStored(data), { ...naming, isOwned: true })
        const local: Instance = { engine, history: new History(engine, { now: () => 7, start: 0 }) }
        // An undo that changes nothing has a version in the database only.
        const countOf = new Map([[one.history.version, 0]])
        const versions = [[one.history.version, 0]]
        for (const [at, each] of steps.entries()) {
          const instance = at % 3 === 1 ? two : one
          const before = one.history.version
          if (each.do === 'write') {
            for (const { engine } of [instance, local]) {
              await Promise.all(each.changes.map((one) => engine.write(asStored(one)).catch(() => {})))
            }
          } else {
            const to = each.which === undefined ? undefined : versions[each.which % versions.length]
            const outcome = await instance.history[each.do]({ to: to?.[0] }).catch(codeOf)
            const expected = await local.history[each.do]({ to: to?.[1] }).catch(codeOf)
            const asCounts = Array.isArray(outcome) ? outcome.map((version) => countOf.get(version)) : outcome
            expect(asCounts).toEqual(expected)
          }
          await one.history.ready()
          for (let version = before + 1; version <= one.history.version; version++) {
            countOf.set(version, local.history.version - (one.history.version - version))
          }
          versions.push([one.history.version, local.history.version])
          expect(await stateOf(instance.engine)).toBe(await stateOf(local.engine))
        }
        const counts = [...countOf.values()]
        const expected = () => told(local.history, new Map(counts.map((count) => [count, count])), counts)
        const later = await open(address)
        await two.history.ready()
        for (const { history } of [one, two, later]) {
          // A large change counts as nothing in memory until it is measured.
          await vi.waitFor(() => expect(told(history, countOf)).toEqual(expected()), { timeout: 10_000 })
        }
        await opened.pop()?.close()
      }),
      { numRuns: RUNS },
    )
  })

  it('lets no two instances undo the same change, though nothing of the data would tell', async () => {
    const rows = [
      { id: 1, name: 'a' },
      { id: 1, name: 'b' },
    ]
    const [one, two] = await openTwo({ items: rows })
    const before = await stateOf(one.engine)
    await one.engine.write({ kind: 'remove', collection: 'items', id: '1' })
    // A twin can be inserted any number of times.
    const undoing = [one, two, one, two].map(({ history }) => history.undo().catch(codeOf))
    const version = one.history.version
    const outcomes = await Promise.all(undoing)
    expect(outcomes.filter(Array.isArray)).toEqual([[version]])
    expect(outcomes.filter((outcome) => outcome === 'NOTHING_TO_UNDO')).toHaveLength(3)
    expect(await stateOf(two.engine)).toBe(before)
  })

  it('stays one past when both write, undo and redo at the same time', async () => {
    const [one, two, address] = await openTwo({ items: [] })
    const before = await stateOf(one.engine)
    const { version } = one.history
    const undone: number[] = []
    await Promise.all(
      [one, two].map(async ({ engine, history }) => {
        for (let at = 0; at < 12; at++) {
          const writing = engine.write({ kind: 'insert', collection: 'items', rows: [{ at }] })
          const moving = at % 3 === 2 ? history.redo() : history.undo()
          undone.push(...(await moving.catch(() => [])))
          await writing
        }
      }),
    )
    expect(undone.length).toBeGreaterThan(0)
    const later = await open(address)
    const lists = [one, two, later].map(async ({ history }) => {
      await history.ready()
      return history
        .list(100)
        .map((each) => ({ ...asStored(each), isUndone: history.isUndone(each.version) }))
    })
    const [first, ...others] = await Promise.all(lists)
    for (const other of others) expect(other).toEqual(first)
    await later.history.undo({ to: version })
    expect(await stateOf(two.engine)).toBe(before)
  })

  it('knows that changes were undone which cancel each other out, and tells nobody', async () => {
    const [one, two, address] = await openTwo({ items: [] })
    const { version } = one.history
    await one.engine.write({ kind: 'insert', collection: 'items', rows: [{ id: 1 }] })
    await two.engine.write({ kind: 'remove', collection: 'items', id: '1' })
    const told: number[] = []
    two.history.subscribe((recorded) => told.push(recorded.version))
    await one.history.undo({ to: version })
    await two.history.ready()
    for (const { history } of [one, two, await open(address)]) {
      expect(history.list(10).map((each) => history.isUndone(each.version))).toEqual([true, true])
      expect(history.since(version)).toHaveLength(2)
      await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    }
    expect(told).toEqual([])
    await two.history.redo()
    expect(await stateOf(one.engine)).toBe('{"items":[{"id":1}]}')
  })

  it('knows nothing of a change that failed, though another has its version by now', async () => {
    const [one, two, address] = await openTwo({ items: [{ id: 1 }] })
    const schema = /schema=(\w+)/.exec(address)?.[1]
    const insert = (engine: Engine) => engine.write({ kind: 'insert', collection: 'items', rows: [{}] })
    await insert(one.engine)
    await runIn(
      address,
      `CREATE FUNCTION "${schema}".fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
      `CREATE TRIGGER fail BEFORE UPDATE ON "${schema}".state FOR EACH ROW EXECUTE FUNCTION "${schema}".fail()`,
    )
    await expect(insert(one.engine)).rejects.toThrow('no')
    await runIn(address, `DROP TRIGGER fail ON "${schema}".state`)
    // With the version that the change would have had. Now nothing is left to undo.
    await two.history.undo()
    await expect(one.history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await one.history.redo()
    expect(await stateOf(two.engine)).toBe('{"items":[{"id":1},{"id":2}]}')
  })

  it('is the last 1,000 changes, in the table as well', { timeout: 60_000 }, async () => {
    const [one, two, address] = await openTwo({ items: [] })
    const { version } = one.history
    // In one transaction, for the most part: the other instance never sees the first of them.
    const insert = () => two.engine.write({ kind: 'insert', collection: 'items', rows: [{}] })
    await Promise.all(Array.from({ length: 1003 }, insert))
    const later = await open(address)
    expect((await later.engine.past?.read())?.commits).toHaveLength(1000)
    await one.history.ready()
    for (const { history } of [one, two, later]) {
      expect(history.list(2000)).toHaveLength(1000)
      expect(history.since(version + 2)).toBeUndefined()
      expect(history.since(version + 3)).toHaveLength(1000)
      await expect(history.undo({ to: version + 2 })).rejects.toMatchObject({ code: 'HISTORY_GONE' })
    }
  })

  it('goes on where an instance has missed how it ended', async () => {
    const [one, two] = await openTwo({ items: [] })
    const { version } = one.history
    const insert = ({ engine }: Instance) => engine.write({ kind: 'insert', collection: 'items', rows: [{}] })
    await insert(one)
    await insert(two)
    await insert(two)
    // Of what came before, the table has nothing.
    await two.engine.write({ kind: 'replace-database', data: { items: [] } })
    await insert(one)
    await two.history.ready()
    for (const { history } of [one, two]) {
      expect(history.list(10).map((each) => each.version)).toEqual([version + 5])
      expect(history.since(version + 3)).toBeUndefined()
      expect(history.since(version + 4)).toHaveLength(1)
    }
    expect(await two.history.undo()).toEqual([version + 5])
    await expect(one.history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
  })

  it('ends with a change that takes more than 16 MB alone', { timeout: 60_000 }, async () => {
    const [one, two, address] = await openTwo({ items: [] })
    const { version } = one.history
    const insert = (engine: Engine, text: string) =>
      engine.write({ kind: 'insert', collection: 'items', rows: [{ text }] })
    await insert(one.engine, 'a')
    await insert(two.engine, 'b')
    await one.history.undo()
    await insert(two.engine, 'x'.repeat(17 * MB))
    await one.history.ready()
    const later = await open(address)
    expect(await later.engine.past?.read()).toEqual({ base: version + 4, bottom: version + 4, commits: [] })
    for (const { history } of [one, two, later]) {
      expect(history.list(10)).toEqual([])
      expect(history.since(version + 3)).toBeUndefined()
      expect(history.since(version + 4)).toEqual([])
      await expect(history.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    }
    await insert(one.engine, 'c')
    expect(await two.history.undo()).toEqual([version + 5])
  })

  it('hides what rules hide by now, and keeps it for an undo', async () => {
    const [one, two] = await openTwo({ items: [{ id: 1, secret: 's1' }] })
    await one.engine.write({ kind: 'merge', collection: 'items', id: '1', fields: { secret: 's2' } })
    await one.engine.write({ kind: 'remove', collection: 'items', id: '1' })
    await two.history.ready()
    const texts = () => JSON.stringify(two.history.list(10))
    expect(texts()).toContain('"s1"')
    two.engine.useRules?.({ resources: new Map([['items', { hidden: ['secret'] }]]), now: () => new Date() })
    await two.history.ready()
    expect(two.history.list(10)).toHaveLength(2)
    expect(texts()).not.toContain('secret')
    await two.history.undo()
    await two.history.undo()
    expect(texts()).not.toContain('secret')
    expect(await stateOf(one.engine)).toBe('{"items":[{"id":1,"secret":"s1"}]}')
  })

  it('tells when a change was made by the clock of who made it', async () => {
    const address = await freshAddress()
    const one = await open(address, { items: [] }, () => 1_000)
    const two = await open(address, {}, () => 2_000)
    await one.engine.write({ kind: 'insert', collection: 'items', rows: [{}] })
    await two.engine.write({ kind: 'insert', collection: 'items', rows: [{}] })
    await one.history.ready()
    for (const { history } of [one, two]) {
      expect(history.list(2).map(({ time }) => time)).toEqual([2_000, 1_000])
    }
  })
})

function codeOf(error: unknown): unknown {
  return error instanceof StorageError ? error.code : String(error)
}
