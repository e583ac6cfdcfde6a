import { describe, expect, it, onTestFinished } from 'vitest'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../support/postgres/cluster.ts'
import { StandIn } from '../../support/postgres/stand-in.ts'

/** What 0.18 made, as far as it is looked at: two collections, an object, a snapshot and what a reset goes back to. */
const OLD = `
  CREATE SCHEMA x;
  SET search_path = x;
  CREATE TABLE state (one boolean PRIMARY KEY DEFAULT true CHECK (one), format int, id_name text, version bigint,
    catalog bigint, next_rid int, secret text, base bigint, bottom bigint);
  CREATE TABLE shared (name text PRIMARY KEY, value text NOT NULL, at timestamptz DEFAULT clock_timestamp());
  CREATE TABLE resources (rid int PRIMARY KEY, place int, name text, kind text, body text, version bigint, rows bigint,
    next_pos bigint, dense boolean, shape text);
  CREATE TABLE commits (version bigint PRIMARY KEY, token text, top bigint, bytes bigint, body text);
  CREATE TABLE images (image int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
  CREATE TABLE image_parts (image int REFERENCES images ON DELETE CASCADE, rid int, place int, name text, kind text,
    body text, rows bigint, next_pos bigint, dense boolean, shape text, PRIMARY KEY (image, rid));
  CREATE TABLE waste (rid int, image int DEFAULT 0, PRIMARY KEY (rid, image));
  CREATE TABLE c2 (pos bigint PRIMARY KEY, id text, body text);
  CREATE TABLE c4 (pos bigint PRIMARY KEY, id text, body text);
  CREATE TABLE c9 (pos bigint PRIMARY KEY, id text, body text);
  CREATE TABLE i1_2 AS TABLE c2; CREATE TABLE i1_4 AS TABLE c4; CREATE TABLE i2_2 AS TABLE c2;
  INSERT INTO state VALUES (true, 1, '"id"', 1700, 1700, 5, 'the secret', 1600, 1600);
  INSERT INTO shared VALUES ('login', 'chain');
  INSERT INTO resources VALUES (1, 0, '"$schema"', 'other', '"./s.json"'), (2, 1, '"items"', 'collection', NULL),
    (3, 2, '"one"', 'object', '{"a":1}'), (4, 3, '"empty"', 'collection', NULL);
  INSERT INTO commits VALUES (1700, 't', 1700, 10, '{}');
  INSERT INTO images (name) VALUES (''), ('db-1');
  INSERT INTO image_parts VALUES (1, 2, 1, '"items"', 'collection', NULL), (1, 4, 3, '"empty"', 'collection', NULL),
    (2, 2, 1, '"items"', 'collection', NULL), (2, 3, 2, '"one"', 'object', '{"a":0}');
  INSERT INTO waste VALUES (9);
  INSERT INTO c2 VALUES (65536, '2', '{"id":2}'), (0, '1', '{"id":1,"a":"\\u0000"}'), (98304, '3', '{"id":3}');
  INSERT INTO i1_2 VALUES (0, '1', '{"id":1}');
  INSERT INTO i2_2 VALUES (0, '7', '{"id":7}')`

describe.skipIf(!hasPostgres)(`tables that 0.18 made${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  it('are taken over once, with snapshots, logins and what a reset goes back to', async () => {
    const address = await freshAddress()
    const schema = /schema=(\w+)/.exec(address)?.[1] ?? ''
    await runIn(address, OLD.replace(/\bx;/g, `${schema};`))
    const [one, two] = await Promise.all([StandIn.open(address), StandIn.open(address)])
    onTestFinished(async () => {
      for (const each of [one, two]) await each.close()
    })
    for (const { opened, data, past } of [one, two]) {
      expect(JSON.stringify(data)).toBe(
        '{"$schema":"./s.json","items":[{"id":1,"a":"\\u0000"},{"id":2},{"id":3}],"one":{"a":1},"empty":[]}',
      )
      expect((await opened.origin()).toData()).toEqual({ items: [{ id: 1 }], empty: [] })
      expect(await opened.images.names()).toEqual(['db-1'])
      expect(await opened.images.read('db-1')).toEqual({ items: [{ id: 7 }], one: { a: 0 } })
      expect([opened.shared.secret, await opened.shared.read('login')]).toEqual(['the secret', 'chain'])
      expect(past).toEqual({ base: 1701, bottom: 1701, commits: [] })
    }
    expect(await one.add()).toEqual({ id: 4 })
    expect(await two.opened.images.save(['db-2'])).toBe('db-2')
    expect(await two.read()).toEqual(one.data)
    const tables = await runIn(
      address,
      `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' ORDER BY 1`,
    )
    expect(tables.map((table) => Object(table).tablename)).toEqual([
      'commits',
      'images',
      'parts',
      'rows',
      'shared',
      'state',
    ])
  })
})
