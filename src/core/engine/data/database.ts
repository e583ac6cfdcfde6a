import { isObject } from '../../kernel/json/values.ts'
import type { Data, Naming, Row } from '../types.ts'
import { hasField } from './fields.ts'
import { Table } from './table.ts'

/** A collection, a single object, or anything that is saved but not served. */
export type Part = Table | Row | unknown

/** Immutable: a change makes another database that shares what it did not touch. */
export class Database {
  readonly parts: ReadonlyMap<string, Part>

  constructor(parts: ReadonlyMap<string, Part>) {
    this.parts = parts
  }

  static of(data: Data | Database): Database {
    if (data instanceof Database) return data
    const parts = Object.entries(data).map(([name, value]): [string, Part] => [
      name,
      isCollection(name, value) ? Table.of(value) : value,
    ])
    return new Database(new Map(parts))
  }

  names(): readonly string[] {
    return [...this.parts.keys()].filter((name) => this.kindOf(name))
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    const part = this.parts.get(name)
    if (part instanceof Table) return 'collection'
    return name !== '$schema' && isObject(part) ? 'object' : undefined
  }

  table(name: string): Table | undefined {
    const part = this.parts.get(name)
    return part instanceof Table ? part : undefined
  }

  object(name: string): Row | undefined {
    return this.kindOf(name) === 'object' ? (this.parts.get(name) as Row) : undefined
  }

  with(name: string, part: Part): Database {
    return this.parts.get(name) === part && this.parts.has(name)
      ? this
      : new Database(new Map(this.parts).set(name, part))
  }

  /** With the parts of another one, which beat these. */
  withAll(other: Database): Database {
    return new Database(new Map([...this.parts, ...other.parts]))
  }

  without(name: string): Database {
    return new Database(new Map([...this.parts].filter(([other]) => other !== name)))
  }

  toData(): Data {
    const entries = [...this.parts].map(([name, part]): [string, unknown] => [
      name,
      part instanceof Table ? part.rows.items() : part,
    ])
    return Object.fromEntries(entries)
  }
}

/** `$schema` is not data, even if it is a list. */
export function isCollection(name: string, value: unknown): value is readonly Row[] {
  return name !== '$schema' && Array.isArray(value)
}

/** The tables of a read: all data, the part that a client may see, or the state of a change in progress. */
export interface TableSource {
  readonly naming: Naming
  names(): readonly string[]
  kindOf(name: string): 'collection' | 'object' | undefined
  table(name: string): Table | undefined | Promise<Table | undefined>
  object(name: string): Row | undefined | Promise<Row | undefined>
}

export async function hasFieldIn(source: TableSource, collection: string, path: string): Promise<boolean> {
  const table = await source.table(collection)
  return table !== undefined && hasField(table, path)
}
