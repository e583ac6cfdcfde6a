import { CREATE_TABLES, CURRENT, ORIGIN } from './layout.ts'
import type { Transaction } from './transaction.ts'

/** What 0.18 made: a table for each collection, and for each copy of one. */
export const OLD_FORMAT = 1

const OLD_TABLES = ['state', 'resources', 'commits', 'shared', 'images', 'image_parts', 'waste']

type OldPart = { image: number; rid: number; kind: string; content: number; place: number }

/**
 * Takes over the tables of 0.18: data, snapshots, what a reset goes back to, and logins. The history starts over, since it
 * told the places of rows in another way. Servers of 0.18 are left without tables.
 */
export async function adoptOldTables(sql: Transaction): Promise<void> {
  for (const name of OLD_TABLES) sql.send(`ALTER TABLE ${name} RENAME TO old_${name}`)
  sql.send(CREATE_TABLES)
  sql.send('INSERT INTO shared SELECT name, value, at FROM old_shared')
  // The copy that a reset goes back to has no name.
  sql.send("INSERT INTO images OVERRIDING SYSTEM VALUE SELECT image, name FROM old_images WHERE name <> ''")
  sql.send("SELECT setval(pg_get_serial_sequence('images', 'image'), max(image) + 1) FROM old_images")
  const found = await sql.query<OldPart & { name: string; body: string | null }>(
    `SELECT 0 AS image, rid, kind, ${CURRENT} AS content, place, name, body FROM old_resources
     UNION ALL
     SELECT image, rid, kind, CASE i.name WHEN '' THEN ${ORIGIN} ELSE image END, place, p.name, body
     FROM old_image_parts p JOIN old_images i USING (image) ORDER BY content, place`,
  )
  for (const { image, rid, kind, content, place, name, body } of found) {
    const [added] = await sql.query<{ part: number }>(
      'INSERT INTO parts (content, place, name, value) VALUES ($1, $2, $3, $4) RETURNING part',
      [content, place, name, body],
    )
    if (kind !== 'collection') continue
    const table = image === 0 ? `c${rid}` : `i${image}_${rid}`
    sql.send(`INSERT INTO rows SELECT $1, pos, body FROM ${table} ORDER BY pos`, [added?.part])
  }
  sql.send(`
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
        AND tablename ~ '^(c[0-9]+|i[0-9]+_[0-9]+|old_.*)$'
      LOOP EXECUTE format('DROP TABLE %I CASCADE', name); END LOOP;
    END $$`)
  await sql.flush()
}
