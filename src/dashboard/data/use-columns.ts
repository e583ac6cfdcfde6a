import { useState } from 'preact/hooks'
import { restore, store } from '../client/storage.ts'
import { type Columns, readColumns, writeColumns } from './columns.ts'

/** Remembered by the browser for each collection. */
export function useColumns(resource: string): readonly [Columns, (next: Partial<Columns>) => void] {
  const key = `restable.columns.${resource}`
  const [columns, setColumns] = useState(() => readColumns(restore(key, () => localStorage)))
  function change(next: Partial<Columns>): void {
    const changed = { ...columns, ...next }
    setColumns(changed)
    store(key, writeColumns(changed), () => localStorage)
  }
  return [columns, change]
}
