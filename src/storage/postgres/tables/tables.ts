/** The layout of the tables. Another one is refused, but for that of 0.18, which is 1. */
export const FORMAT = 2

/** The contents that are always there; images have numbers above. */
export const CURRENT = 0
/** What came from outside last: a reset goes back to it. */
export const ORIGIN = -1

/** The names of the tables of one schema, and how they are made. */
export class Tables {
  readonly schema: string
  /** One row: the version, and the lock. A commit locks it first. */
  readonly state: string
  /** What each content consists of, in order: collections, whose rows are in `rows`, and values. */
  readonly parts: string
  /** Rows of all collections, those of copies as well: no table is ever made or dropped while others use it. */
  readonly rows: string
  readonly commits: string
  /** What servers keep for each other beside the data. */
  readonly shared: string
  /** Copies of everything, by name. */
  readonly images: string
  /** What servers notify each other by. */
  readonly channel: string

  /** @param schema checked before: letters, digits and `_` */
  constructor(schema: string) {
    this.schema = schema
    this.state = `"${schema}".state`
    this.parts = `"${schema}".parts`
    this.rows = `"${schema}".rows`
    this.commits = `"${schema}".commits`
    this.shared = `"${schema}".shared`
    this.images = `"${schema}".images`
    this.channel = `restable_${schema}`
  }

  /** Names are JSON: a name may have characters that PostgreSQL does not store. */
  get create(): string {
    return `
      CREATE TABLE ${this.state} (
        one boolean PRIMARY KEY DEFAULT true CHECK (one), format int NOT NULL, secret text NOT NULL,
        version bigint NOT NULL, base bigint NOT NULL, bottom bigint NOT NULL,
        -- 0.18 asks for it, before it says that a newer version made the schema.
        id_name text NOT NULL DEFAULT '"id"');
      CREATE TABLE ${this.parts} (
        part int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content int NOT NULL, place int NOT NULL,
        name text NOT NULL, value text);
      CREATE INDEX ON ${this.parts} (content);
      CREATE TABLE ${this.rows} (part int, rank double precision, row text NOT NULL, PRIMARY KEY (part, rank));
      CREATE TABLE ${this.commits} (
        version bigint PRIMARY KEY, token text NOT NULL, top bigint NOT NULL, bytes bigint, body text NOT NULL);
      CREATE TABLE ${this.shared} (
        name text PRIMARY KEY, value text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE INDEX ON ${this.shared} (at);
      CREATE TABLE ${this.images} (
        image int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);`
  }
}
