import type { ComponentChildren } from 'preact'
import { Icon } from '../parts/icon.tsx'

interface EditableListProps<Item> {
  readonly title: string
  readonly items: readonly Item[]
  /** What the button that adds one says. */
  readonly add: string
  /** What the button that removes one says, to screen readers. */
  readonly remove: (item: Item) => string
  readonly newItem: () => Item
  readonly onChange: (items: readonly Item[]) => void
  readonly children: (item: Item, onChange: (changed: Item) => void) => ComponentChildren
}

/** Controls for each of some things, of which there may be more or fewer. */
export function EditableList<Item>({
  title,
  items,
  add,
  remove,
  newItem,
  onChange,
  children,
}: EditableListProps<Item>) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {items.map((item, index) => (
        <div class="line" key={String(index)}>
          {children(item, (changed) => onChange(items.with(index, changed)))}
          <button
            type="button"
            class="quiet square"
            aria-label={remove(item)}
            onClick={() => onChange(items.toSpliced(index, 1))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" class="quiet" onClick={() => onChange([...items, newItem()])}>
        <Icon name="plus" /> {add}
      </button>
    </fieldset>
  )
}
