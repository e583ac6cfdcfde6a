import { SLOTS } from './shape.ts'

/** The layout of the tables. Another one is refused. */
export const FORMAT = 1

/** Rows stand this far apart, so that one can come in between. */
export const GAP = 65_536

/** A table with fewer rows is read as fast as an index. */
export const FEW_ROWS = 2000

/** No row stands before this. */
export const FIRST = Number.MIN_SAFE_INTEGER

const SLOT_NAMES = Array.from({ length: SLOTS }, (_, slot) => slot)

export interface Column {
  readonly name: string
  readonly type: string
}

/** The columns of a collection's table. */
export const COLUMNS: readonly Column[] = [
  { name: 'pos', type: 'bigint' },
  { name: 'id', type: 'text COLLATE "C"' },
  { name: 'idnum', type: 'float8' },
  { name: 'odd', type: 'boolean' },
  { name: 'body', type: 'text' },
  { name: 'words', type: 'text COLLATE "C"' },
  ...SLOT_NAMES.map((slot) => ({ name: `n${slot}`, type: 'float8' })),
  ...SLOT_NAMES.map((slot) => ({ name: `t${slot}`, type: 'text COLLATE "C"' })),
]

const NAMES = COLUMNS.map(({ name }) => name).join(', ')

/** The statements and names of one schema. Tables are numbered: no user's text is in any identifier. */
export class Tables {
  readonly schema: string
  readonly state: string
  readonly resources: string
  readonly commits: string
  /** What instances keep for each other beside the data. */
  readonly shared: string
  /** Copies of everything, by name, and what each has of which resource. Their rows are in tables of their own. */
  readonly images: string
  readonly imageParts: string
  /** Tables that nobody needs, until they are dropped: of collections, where the image is 0, and of images. */
  readonly waste: string
  /** What instances tell each other by. */
  readonly channel: string

  /** @param schema checked before: letters, digits and `_` */
  constructor(schema: string) {
    this.schema = schema
    this.state = `"${schema}".state`
    this.resources = `"${schema}".resources`
    this.commits = `"${schema}".commits`
    this.shared = `"${schema}".shared`
    this.images = `"${schema}".images`
    this.imageParts = `"${schema}".image_parts`
    this.waste = `"${schema}".waste`
    this.channel = `restable_${schema}`
  }

  /** The table of a collection. */
  of(rid: number): string {
    return `"${this.schema}".c${rid}`
  }

  /** The copy that an image has of a collection's table. */
  ofImage(image: number, rid: number): string {
    return `"${this.schema}".i${image}_${rid}`
  }

  /** Names of resources are unique because changes wait for each other: an index would refuse long ones. */
  createAll(): string {
    return `
      CREATE TABLE ${this.state} (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        format int NOT NULL, id_name text NOT NULL,
        version bigint NOT NULL, catalog bigint NOT NULL, next_rid int NOT NULL, secret text NOT NULL,
        base bigint NOT NULL, bottom bigint NOT NULL);
      CREATE TABLE ${this.shared} (
        name text PRIMARY KEY, value text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE INDEX ON ${this.shared} (at);
      CREATE TABLE ${this.resources} (
        rid int PRIMARY KEY, place int NOT NULL,
        name text NOT NULL, kind text NOT NULL, body text,
        version bigint NOT NULL, rows bigint NOT NULL DEFAULT 0,
        next_pos bigint NOT NULL DEFAULT 0, dense boolean NOT NULL DEFAULT true, shape text);
      CREATE TABLE ${this.commits} (
        version bigint PRIMARY KEY, token text NOT NULL, top bigint NOT NULL, bytes bigint, body text NOT NULL);
      CREATE TABLE ${this.images} (
        image int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
      CREATE TABLE ${this.imageParts} (
        image int REFERENCES ${this.images} ON DELETE CASCADE, rid int, place int NOT NULL,
        name text NOT NULL, kind text NOT NULL, body text, rows bigint NOT NULL,
        next_pos bigint NOT NULL, dense boolean NOT NULL, shape text, PRIMARY KEY (image, rid));
      CREATE TABLE ${this.waste} (rid int, image int DEFAULT 0, PRIMARY KEY (rid, image));`
  }

  create(rid: number): string {
    const columns = COLUMNS.map(({ name, type }) => `${name} ${type}${name === 'pos' ? ' PRIMARY KEY' : ''}`)
    return `CREATE TABLE ${this.of(rid)} (${columns.join(', ')})`
  }

  /** After the rows are in: that is faster. */
  index(rid: number): readonly string[] {
    const table = this.of(rid)
    return [
      `CREATE INDEX ON ${table} (id, pos)`,
      `CREATE INDEX ON ${table} (idnum) WHERE idnum IS NOT NULL`,
      // Rows that no other index tells enough of: every question has to look at them.
      `CREATE INDEX ON ${table} (pos) WHERE odd OR words IS NULL`,
    ]
  }

  /** The index of a slot, or of words. */
  slotIndex(rid: number, slot: string): string {
    return `"${this.schema}".c${rid}_${slot}`
  }

  /** Made while others go on reading and writing. */
  indexSlot(rid: number, slot: string): string {
    return `CREATE INDEX CONCURRENTLY IF NOT EXISTS c${rid}_${slot} ON ${this.of(rid)} (${slot}, pos)`
  }

  /** Without indexes: it is only ever read as a whole. */
  copyToImage(rid: number, image: number): string {
    return `CREATE TABLE ${this.ofImage(image, rid)} AS SELECT ${NAMES} FROM ${this.of(rid)}`
  }

  /** @param next the table to copy to, which exists */
  copyFromImage(image: number, rid: number, next: number): string {
    return `INSERT INTO ${this.of(next)} (${NAMES}) SELECT ${NAMES} FROM ${this.ofImage(image, rid)}`
  }

  /** @param trigrams the schema that has the extension pg_trgm, quoted */
  indexWords(rid: number, trigrams: string): string {
    return `CREATE INDEX CONCURRENTLY IF NOT EXISTS c${rid}_words ON ${this.of(rid)} USING gin (words ${trigrams}.gin_trgm_ops)`
  }

  /** Takes the rows as one JSON list, so that they need one parameter whatever their number. */
  insert(rid: number): string {
    const types = COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')
    return `INSERT INTO ${this.of(rid)} (${NAMES}) SELECT ${NAMES} FROM json_to_recordset($1) AS given (${types})`
  }

  /** Takes any number of rows, as `CopyRows` makes them. */
  copy(rid: number): string {
    return `COPY ${this.of(rid)} (${NAMES}) FROM STDIN (FORMAT binary)`
  }
}
