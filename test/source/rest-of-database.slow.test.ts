import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from '../../src/index.ts'
import { exportData, importData } from '../../src/source/transfer.ts'
import { folderOf } from '../support/folder.ts'
import { asking } from '../support/http/asking.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../support/postgres/cluster.ts'

/** Where a database has things that belong to a schema, by their names and schemas. */
const PLACES = [
  ['pg_class', 'relname', 'relnamespace'],
  ['pg_proc', 'proname', 'pronamespace'],
  ['pg_operator', 'oprname', 'oprnamespace'],
  ['pg_opclass', 'opcname', 'opcnamespace'],
  ['pg_collation', 'collname', 'collnamespace'],
] as const

/** Everything in a database but our schema. */
function everythingBut(schema: string): string {
  const inSchemas = PLACES.map(
    ([place, name, namespace]) => `
      SELECT '${place}' AS place, format('%s.%s', n.nspname, t.${name}) AS name
      FROM ${place} t JOIN pg_namespace n ON n.oid = t.${namespace}
      WHERE n.nspname <> '${schema}' AND n.nspname !~ '^pg_(toast|temp)' AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = '${place}'::regclass AND d.objid = t.oid AND d.deptype = 'e')`,
  )
  return [
    ...inSchemas,
    `SELECT 'schema', nspname::text FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'`,
    `SELECT 'extension', extname::text FROM pg_extension`,
    `SELECT 'setting', s.setconfig::text FROM pg_db_role_setting s
     JOIN pg_database d ON d.oid = s.setdatabase WHERE d.datname = current_database()`,
    `SELECT 'object', oid::text FROM pg_largeobject_metadata`,
    `SELECT 'trigger', evtname::text FROM pg_event_trigger`,
    'ORDER BY 1, 2',
  ]
    .join(' UNION ALL ')
    .replace(/ UNION ALL (?=ORDER)/, ' ')
}

it.skipIf(!hasPostgres)(
  `nothing is made in a database outside our schema${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  async () => {
    const anywhere = await freshAddress()
    const name = /schema=(\w+)/.exec(anywhere)?.[1] ?? ''
    await runIn(anywhere, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`)
    const source = anywhere.replace('/postgres?', `/${name}?`)
    const folder = folderOf()
    const found = () => runIn(source, everythingBut(name))
    const before = await found()
    const items = Array.from({ length: 2500 }, (_, at) => ({ id: at, price: at % 7, name: `Chair ${at}` }))
    writeFileSync(join(folder, 'db.json'), JSON.stringify({ items, one: { a: 1 } }))
    await importData({ from: join(folder, 'db.json'), to: source })
    const server = await start({ source, quiet: true, snapshots: join(folder, 'snapshots') })
    const ask = asking(server.url)
    const succeed = async (method: string, path: string, body?: unknown) => {
      const answer = await ask(method, path, body)
      expect([path, answer.status < 300]).toEqual([path, true])
      return answer.body
    }
    await succeed('GET', '/items?price_gt=3&_limit=1')
    await succeed('GET', '/items?q=chair%2077')
    await succeed('POST', '/items', Array(600).fill({ price: 1 }))
    await succeed('POST', '/__undo', {})
    const { id } = await succeed('POST', '/__snapshots__', {})
    await succeed('DELETE', '/items?price_lt=3')
    await succeed('PUT', `/__snapshots__/${id}`, {})
    await succeed('POST', '/__reset', {})
    await succeed('GET', '/items?q=chair%2077')
    await server.close()
    await exportData({ from: source, to: join(folder, 'out.json') })
    const after = await found()
    const known = new Set(before.map((one) => JSON.stringify(one)))
    expect(after.filter((one) => !known.has(JSON.stringify(one)))).toEqual([{ place: 'schema', name }])
    expect(after).toHaveLength(before.length + 1)
  },
)
