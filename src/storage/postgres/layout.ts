/** The layout of the tables. Another one is refused, but for that of 0.18, which is 1. */
export const FORMAT = 2

/** The contents that are always there; images have numbers above. */
export const CURRENT = 0
/** What came from outside last: a reset goes back to it. */
export const ORIGIN = -1

/**
 * Tables are found by the search path of each connection.
 * - `state` has one row: the version, and the lock. A commit locks it first.
 * - `parts` are what each content consists of, in order: collections, whose rows are in `rows`, and values. Their names are
 *   JSON: one may have characters that PostgreSQL does not store.
 * - `rows` has those of all collections, and of copies: no table is ever made or dropped while others use it.
 * - `shared` is what servers keep for each other beside the data; `images` names copies of everything.
 */
export const CREATE_TABLES = `
  CREATE TABLE state (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), format int NOT NULL, secret text NOT NULL,
    version bigint NOT NULL, base bigint NOT NULL, bottom bigint NOT NULL,
    -- 0.18 asks for it, before it says that a newer version made the schema.
    id_name text NOT NULL DEFAULT '"id"');
  CREATE TABLE parts (
    part int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content int NOT NULL, place int NOT NULL,
    name text NOT NULL, value text);
  CREATE INDEX ON parts (content);
  CREATE TABLE rows (part int, rank double precision, row text NOT NULL, PRIMARY KEY (part, rank));
  CREATE TABLE commits (
    version bigint PRIMARY KEY, token text NOT NULL, top bigint NOT NULL, bytes bigint, body text NOT NULL);
  CREATE TABLE shared (
    name text PRIMARY KEY, value text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE INDEX ON shared (at);
  CREATE TABLE images (image int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);`
