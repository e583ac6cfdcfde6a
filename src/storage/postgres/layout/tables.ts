import { SLOTS } from './shape.ts'

/** The layout of the tables. Another one is refused. */
export const FORMAT = 1

/** Rows stand this far apart, so that one can come in between. */
export const GAP = 65_536

/** No row stands before this. */
export const FIRST = Number.MIN_SAFE_INTEGER

const SLOT_NAMES = Array.from({ length: SLOTS }, (_, slot) => slot)

/** The columns of a collection's table, with their types. */
const COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ['pos', 'bigint'],
  ['id', 'text COLLATE "C"'],
  ['idnum', 'float8'],
  ['odd', 'boolean'],
  ['body', 'text'],
  ['words', 'text COLLATE "C"'],
  ...SLOT_NAMES.map((slot) => [`n${slot}`, 'float8'] as const),
  ...SLOT_NAMES.map((slot) => [`t${slot}`, 'text COLLATE "C"'] as const),
]

/** The statements and names of one schema. Tables are numbered: no user's text is in any identifier. */
export class Tables {
  readonly schema: string
  readonly state: string
  readonly resources: string
  readonly commits: string
  /** What came from outside last: resources, and their rows. */
  readonly beginning: string
  readonly beginningRows: string
  /** What instances keep for each other beside the data. */
  readonly shared: string
  /** What instances tell each other by. */
  readonly channel: string

  /** @param schema checked before: letters, digits and `_` */
  constructor(schema: string) {
    this.schema = schema
    this.state = `"${schema}".state`
    this.resources = `"${schema}".resources`
    this.commits = `"${schema}".commits`
    this.beginning = `"${schema}".beginning`
    this.beginningRows = `"${schema}".beginning_rows`
    this.shared = `"${schema}".shared`
    this.channel = `restable_${schema}`
  }

  /** The table of a collection. */
  of(rid: number): string {
    return `"${this.schema}".c${rid}`
  }

  createAll(): string {
    return `
      CREATE TABLE ${this.state} (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        format int NOT NULL, id_name text NOT NULL,
        version bigint NOT NULL, catalog bigint NOT NULL, next_rid int NOT NULL, secret text NOT NULL);
      CREATE TABLE ${this.shared} (
        name text PRIMARY KEY, value text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE INDEX ON ${this.shared} (at);
      CREATE TABLE ${this.resources} (
        rid int PRIMARY KEY, place int NOT NULL,
        name text NOT NULL UNIQUE, kind text NOT NULL, body text,
        version bigint NOT NULL, rows bigint NOT NULL DEFAULT 0,
        next_pos bigint NOT NULL DEFAULT 0, dense boolean NOT NULL DEFAULT true, shape text);
      CREATE TABLE ${this.commits} (version bigint PRIMARY KEY, body text NOT NULL);
      CREATE TABLE ${this.beginning} (
        rid int PRIMARY KEY, place int NOT NULL, name text NOT NULL, kind text NOT NULL, body text);
      CREATE TABLE ${this.beginningRows} (
        rid int NOT NULL, pos bigint NOT NULL, body text NOT NULL, PRIMARY KEY (rid, pos));`
  }

  create(rid: number): string {
    const columns = COLUMNS.map(([name, type]) => `${name} ${type}${name === 'pos' ? ' PRIMARY KEY' : ''}`)
    return `CREATE TABLE ${this.of(rid)} (${columns.join(', ')})`
  }

  /** After the rows are in: that is faster. */
  index(rid: number): readonly string[] {
    const table = this.of(rid)
    return [`CREATE INDEX ON ${table} (id, pos)`, `CREATE INDEX ON ${table} (idnum) WHERE idnum IS NOT NULL`]
  }

  /** Made while others go on reading and writing. */
  indexSlot(rid: number, slot: string): string {
    return `CREATE INDEX CONCURRENTLY IF NOT EXISTS c${rid}_${slot} ON ${this.of(rid)} (${slot}, pos)`
  }

  drop(rid: number): string {
    return `DROP TABLE ${this.of(rid)}`
  }

  /** Takes the rows as one JSON list, so that they need one parameter whatever their number. */
  insert(rid: number): string {
    const names = COLUMNS.map(([name]) => name).join(', ')
    const types = COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')
    return `INSERT INTO ${this.of(rid)} (${names}) SELECT ${names} FROM json_to_recordset($1) AS given (${types})`
  }
}
