import { sizeUpTo } from '../../json/json-size.ts'
import { copySymbols, isRecord, setField } from '../../json/patch/container.ts'
import { deepCopy } from '../../json/patch/deep-copy.ts'
import { STRETCH, type Work, workAtOnce } from '../../work/in-slices.ts'
import type { Collection } from '../table/collection.ts'
import { Table } from '../table/table.ts'
import type { Data, Row } from '../types.ts'
import { ForkedTable } from './forked-table.ts'
import { originOf, type TableOrigin } from './table-snapshot.ts'

/** Where a fork of some data starts. A few references: rows are shared, and never changed in place. */
export interface DataOrigin {
  /** The id by which rows are found. */
  readonly id: string
  /** In the order of the data. A collection is where its table starts; everything else is itself. */
  readonly parts: ReadonlyMap<string, TableOrigin | { readonly value: unknown }>
}

/** The data as it is now, if only the engine holds it. */
export function originOfData(
  data: Data,
  id: string,
  tableOf: (name: string) => Collection | undefined,
): DataOrigin {
  const parts = new Map<string, TableOrigin | { readonly value: unknown }>()
  for (const name of Object.keys(data)) {
    const table = tableOf(name)
    // A fork of a fork starts at a table of its own.
    const start = table instanceof ForkedTable ? new Table(table.rows.slice(), id) : table
    parts.set(name, start instanceof Table ? originOf(start, id) : { value: data[name] })
  }
  return { id, parts }
}

/** The tables of a new fork, and its data, in which each collection becomes a list when somebody asks for it. */
export function openOrigin({ id, parts }: DataOrigin): { data: Data; tables: Map<string, ForkedTable> } {
  const data: Data = {}
  const tables = new Map<string, ForkedTable>()
  for (const [name, part] of parts) {
    const table = 'snapshot' in part ? new ForkedTable(part, id) : undefined
    if (table) tables.set(name, table)
    const content = table
      ? { get: () => table.rows, configurable: true, enumerable: true }
      : {
          value: 'value' in part ? part.value : undefined,
          writable: true,
          configurable: true,
          enumerable: true,
        }
    Object.defineProperty(data, name, content)
  }
  return { data, tables }
}

/** How many tables of an origin have changed since. Work that is in progress on one of them can tell by it. */
export function countCopies({ parts }: DataOrigin): number {
  let count = 0
  for (const part of parts.values()) if ('snapshot' in part && part.snapshot.isCopy) count++
  return count
}

/** A copy that shares no object with the data. Synchronous: others may change what it is made of. */
export function copyOf(data: Data): Data {
  const copy: Data = {}
  for (const name of Object.keys(data)) setField(copy, name, copyValue(data[name], 1))
  return copy
}

/** The memory that data takes, estimated. */
export function* bytesIn(data: Data): Work<number> {
  let bytes = 0
  for (const name of Object.keys(data)) {
    const part = data[name]
    const rows: readonly unknown[] = Array.isArray(part) ? part : [part]
    for (const [at, row] of rows.entries()) {
      bytes += sizeUpTo(Number.POSITIVE_INFINITY, row)
      if (at % STRETCH === STRETCH - 1) yield
    }
  }
  return bytes
}

/** Deeper values are copied without recursion, which would overflow the stack. */
const DEEP = 100

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEP) return workAtOnce(deepCopy(value))
  if (Array.isArray(value)) return value.map((part) => copyValue(part, depth + 1))
  if (!isRecord(value)) return value
  const copy: Row = {}
  for (const name of Object.keys(value)) setField(copy, name, copyValue(value[name], depth + 1))
  copySymbols(value, copy)
  return copy
}
