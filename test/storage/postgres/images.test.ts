import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Tables } from '../../../src/storage/postgres/layout/tables.ts'
import { readAddress } from '../../../src/storage/postgres/link/address.ts'
import { Connections } from '../../../src/storage/postgres/link/connections.ts'
import { openPostgres, PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts'
import { clusterFolder, freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import { Wire } from '../../support/postgres/wire.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const BEFORE = { items: [{ id: 1, a: 1 }], about: { a: 1 } }
const AFTER = { items: [{ id: 1, a: 2 }], more: [{ id: 7 }] }

describe.skipIf(!hasPostgres)(`images in PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  let source: string
  let schema: string
  let engine: PostgresEngine
  let client: pg.Client
  beforeEach(async () => {
    source = await freshAddress()
    schema = readAddress(source).schema
    engine = await openPostgres(source, { ...naming, sample: () => BEFORE })
    expect(await engine.images.save(['one'])).toBe('one')
    await engine.write({ kind: 'replace-database', data: AFTER })
    client = new pg.Client(readAddress(source).url)
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await engine.close()
  })
  const state = async () => (await engine.read({ kind: 'database' })).found
  const item = async (from: PostgresEngine) =>
    (await from.read({ kind: 'item', collection: 'items', id: '1' })).found

  it('are found by an instance that has not heard of them yet, though the old table is still there', async () => {
    const { resources } = new Tables(schema)
    const deaf = new PostgresEngine(new Connections(pg, readAddress(source)), new Tables(schema), naming)
    expect((await deaf.read({ kind: 'database' })).found).toEqual(AFTER)
    const { rows } = await client.query(`SELECT rid FROM ${resources} WHERE kind = 'collection' ORDER BY rid`)
    // Somebody reads it for a long time.
    const old = new Tables(schema).of(rows[0]?.rid)
    await client.query(`BEGIN; SELECT FROM ${old}`)
    expect(await engine.images.restore('one')).toEqual({ items: 1 })
    expect((await client.query(`SELECT body FROM ${old}`)).rows).toEqual([{ body: '{"id":1,"a":2}' }])
    expect(await item(deaf)).toEqual({ id: 1, a: 1 })
    await client.query('COMMIT')
    await deaf.close()
  })

  it('are restored or not: if the commit fails, everything is as it was', async () => {
    await client.query(`
      CREATE FUNCTION "${schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON "${schema}".commits
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "${schema}".refuse()`)
    await expect(engine.images.restore('one')).rejects.toThrow('refused')
    expect(engine.names()).toEqual(['items', 'more'])
    expect(await item(engine)).toEqual({ id: 1, a: 2 })
    expect(await state()).toEqual(AFTER)
    await client.query(`DROP TRIGGER refuse ON "${schema}".commits`)
    expect(await engine.images.restore('one')).toEqual({ items: 1 })
    expect(engine.names()).toEqual(['items', 'about'])
    expect(await state()).toEqual(BEFORE)
  })

  it('are removed only after somebody who is restoring them has them', async () => {
    const folder = await clusterFolder()
    const wire = await Wire.start(folder, 'restoring')
    const far = await openPostgres(source.replace(folder, wire.folder), { ...naming, sample: () => ({}) })
    wire.holds = 'image_parts WHERE image'
    const restoring = far.images.restore('one')
    await expect.poll(() => wire.held).toBe(1)
    let isRemoved = false
    const removing = engine.images.remove('one').then((removed) => {
      isRemoved = true
      return removed
    })
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%gone AS (DELETE%'"
    await expect.poll(async () => isRemoved || (await client.query(waiting)).rowCount).toBe(1)
    wire.release()
    expect(await restoring).toEqual({ items: 1 })
    expect(await removing).toBe(true)
    expect(await state()).toEqual(BEFORE)
    await far.close()
    await wire.close()
  })

  it('make no import wait for somebody who reads the old beginning, and leave nothing behind', async () => {
    const tables = async () => {
      const found = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema])
      return found.rows.map(({ tablename }) => tablename).filter((name) => /^[ci]\d/.test(name))
    }
    expect(await tables()).toEqual(expect.arrayContaining(['i1_1', 'i2_1']))
    const reader = new pg.Client(readAddress(source).url)
    await reader.connect()
    await reader.query(`BEGIN; SELECT FROM "${schema}".i1_1`)
    await engine.fill({ items: [{ id: 3 }] })
    expect(await tables()).toContain('i1_1')
    await reader.end()
    expect(await engine.images.remove('one')).toBe(true)
    expect(await engine.images.remove('one')).toBe(false)
    // One collection, and its copy.
    await expect.poll(tables).toHaveLength(2)
    await engine.rewind()
    expect(await state()).toEqual({ items: [{ id: 3 }] })
  })

  it('are there as a whole or not at all, for a restore that comes while one is removed', async () => {
    await client.query(
      `BEGIN; DELETE FROM "${schema}".images WHERE name = 'one'; DROP TABLE "${schema}".i2_1`,
    )
    const restoring = engine.images.restore('one')
    const look = new pg.Client(readAddress(source).url)
    await look.connect()
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1"
    await expect.poll(async () => (await look.query(waiting, [`%${schema}%`])).rowCount).toBe(1)
    await look.end()
    await client.query('COMMIT')
    expect(await restoring).toBeUndefined()
    expect(await state()).toEqual(AFTER)
  })
})
