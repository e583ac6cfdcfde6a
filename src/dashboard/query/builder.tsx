import type { ComponentChildren } from 'preact'
import type { Filter } from '../client/operators.ts'
import type { Query, Sort } from '../client/query.ts'
import { resources } from '../client/service.ts'
import { Icon } from '../parts/elements.tsx'
import { FieldChoices, RelationChoices } from './choices.tsx'
import { FilterFields, SortFields } from './filter-fields.tsx'
import { childrenOf, parentsOf } from './relations.ts'
import type { ResourceFields } from './use-fields.ts'

interface BuilderProps {
  readonly resource: string
  readonly id: string
  readonly query: Query
  readonly known: ResourceFields
  readonly onChange: (next: { resource?: string; id?: string; query?: Partial<Query> }) => void
}

/** The query as controls. They read and write the URL, so both always agree. */
export function Builder({ resource, id, query, known, onChange }: BuilderProps) {
  const ask = (next: Partial<Query>) => onChange({ query: next })
  const all = resources.value
  const paths = [...known.filterable.keys()]
  return (
    <section class="builder" aria-label="Query builder">
      <div class="pair">
        <label>
          Resource
          <select value={resource} onChange={(event) => onChange({ resource: event.currentTarget.value })}>
            {all.every(({ name }) => name !== resource) && (
              <option value={resource}>{resource || '…'}</option>
            )}
            {all.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          One item
          <input
            placeholder="id"
            value={id}
            onInput={(event) => onChange({ id: event.currentTarget.value })}
          />
        </label>
      </div>
      <label>
        Search all fields
        <input
          type="search"
          placeholder="q"
          value={query.q}
          onInput={(event) => ask({ q: event.currentTarget.value })}
        />
      </label>
      <EditableList
        title="Filters"
        items={query.filters}
        add="Add a filter"
        remove={({ field }) => `Remove filter ${field}`}
        newItem={(): Filter => ({ field: nextField(query.filters, paths), operator: '', value: '' })}
        onChange={(filters) => ask({ filters })}
      >
        {(filter, change) => <FilterFields filter={filter} fields={known.filterable} onChange={change} />}
      </EditableList>
      <details>
        <summary>
          Conditions as JSON <span class="count">{query.where === '' ? '' : 'set'}</span>
        </summary>
        <textarea
          aria-label="Conditions as JSON"
          placeholder={'{ "or": [{ "price": { "gt": 10 } }, { "name": "a" }] }'}
          rows={4}
          spellcheck={false}
          value={query.where}
          onInput={(event) => ask({ where: event.currentTarget.value })}
        />
      </details>
      <EditableList
        title="Sort"
        items={query.sort}
        add="Add sorting"
        remove={({ field }) => `Remove sorting by ${field}`}
        newItem={(): Sort => ({ field: nextField(query.sort, paths), order: 'asc' })}
        onChange={(sort) => ask({ sort })}
      >
        {(sort, change) => <SortFields sort={sort} paths={paths} onChange={change} />}
      </EditableList>
      <RelationChoices
        title="Embed"
        steps={childrenOf(all, resource)}
        chosen={query.embed}
        onChange={(embed) => ask({ embed })}
      />
      <RelationChoices
        title="Expand"
        steps={parentsOf(all, resource)}
        chosen={query.expand}
        onChange={(expand) => ask({ expand })}
      />
      <FieldChoices key={resource} query={query} names={known.showable} onChange={ask} />
      <WindowFields query={query} onChange={ask} />
    </section>
  )
}

/** The first field that is not used yet. */
function nextField(used: readonly { readonly field: string }[], paths: readonly string[]): string {
  return paths.find((path) => used.every(({ field }) => field !== path)) ?? paths[0] ?? 'id'
}

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

interface WindowFieldsProps {
  readonly query: Query
  readonly onChange: (next: Partial<Query>) => void
}

/** Which part of the list the response has. */
export function WindowFields({ query, onChange }: WindowFieldsProps) {
  const isWrapped = query.perPage !== ''
  const size = isWrapped ? 'perPage' : 'limit'
  return (
    <fieldset class="pair">
      <legend>Page or slice</legend>
      {FIELDS.map(([label, name]) => {
        const key = name === 'limit' ? size : name
        return (
          <label key={name}>
            {label}
            <input
              type="number"
              min={0}
              value={query[key]}
              onInput={(event) => onChange({ [key]: event.currentTarget.value })}
            />
          </label>
        )
      })}
      <label class="check">
        <input
          type="checkbox"
          checked={isWrapped}
          onChange={() =>
            onChange(
              isWrapped
                ? { perPage: '', limit: query.perPage }
                : { perPage: query.limit || '10', limit: '', start: '', end: '' },
            )
          }
        />
        Totals in the body, as in json-server 1.0
      </label>
    </fieldset>
  )
}

const FIELDS = [
  ['Page', 'page'],
  ['Limit', 'limit'],
  ['Start', 'start'],
  ['End', 'end'],
] as const
