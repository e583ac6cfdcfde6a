import { useState } from 'preact/hooks'
import { restore, store } from '../client/storage.ts'
import { Check } from '../parts/controls.tsx'
import { Icon } from '../parts/elements.tsx'
import { shorten } from '../parts/format.ts'
import { DropDown } from '../parts/overlays.tsx'
import { type Columns, readColumns, writeColumns } from './columns.ts'

interface ColumnsMenuProps {
  /** All that can be hidden. */
  readonly names: readonly string[]
  readonly columns: Columns
  readonly onChange: (next: Partial<Columns>) => void
}

export function ColumnsMenu({ names, columns: { hidden, widths }, onChange }: ColumnsMenuProps) {
  const count = names.filter((name) => hidden.has(name)).length

  function toggle(name: string): void {
    const others = [...hidden].filter((other) => other !== name)
    onChange({ hidden: new Set(hidden.has(name) ? others : [...others, name]) })
  }

  return (
    <DropDown
      label="Columns"
      summary={
        <>
          <Icon name="columns" /> <span class="wide">Columns</span>
          {count > 0 && <span class="count">{count} hidden</span>}
        </>
      }
    >
      {() => (
        <>
          {names.map((name) => (
            <Check key={name} isOn={!hidden.has(name)} onToggle={() => toggle(name)}>
              {shorten(name, 40)}
            </Check>
          ))}
          <button
            type="button"
            disabled={count === 0 && widths.size === 0}
            onClick={() => onChange({ hidden: new Set(), widths: new Map() })}
          >
            Reset columns
          </button>
        </>
      )}
    </DropDown>
  )
}

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
