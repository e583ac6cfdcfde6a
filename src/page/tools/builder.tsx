import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Filter, hasValue, newFilter } from '../client/operators.ts'
import type { Query, Sort } from '../client/query.ts'
import { resources } from '../client/service.ts'
import { IconButton, Select, TextField } from '../parts/controls.tsx'
import { Icon } from '../parts/elements.tsx'
import { FilterFields, SortFields } from '../parts/filter-fields.tsx'
import { FieldChoices, RelationChoices, WindowFields } from './choices.tsx'
import { childrenOf, parentsOf } from './relations.ts'
import type { ResourceFields } from './use-fields.ts'

interface BuilderProps {
  readonly resource: string
  readonly id: string
  readonly query: Query
  readonly fields: ResourceFields
  readonly onChange: (next: { resource?: string; id?: string; query?: Partial<Query> }) => void
}

/** The query as controls, which read and write the URL. */
export function Builder({ resource, id, query, fields, onChange }: BuilderProps) {
  const update = (next: Partial<Query>) => onChange({ query: next })
  const all = resources.value
  const paths = [...fields.filterable.keys()]
  const [filters, changeFilters] = useFilters(resource, query.filters, update)
  return (
    <section class="builder" aria-label="Query builder">
      <div class="pair">
        <Select
          label="Resource"
          isLabelShown
          options={all.map(({ name }) => [name, name])}
          value={resource}
          onChange={(name) => onChange({ resource: name })}
        />
        <TextField label="One item" placeholder="id" value={id} onInput={(text) => onChange({ id: text })} />
      </div>
      <label>
        Search all fields
        <input
          type="search"
          placeholder="q"
          value={query.q}
          onInput={(event) => update({ q: event.currentTarget.value })}
        />
      </label>
      <EditableList
        title="Filters"
        items={filters}
        add="Add a filter"
        remove={({ field }) => `Remove filter ${field}`}
        newItem={() => {
          const field = nextField(filters, paths)
          return newFilter(field, fields.filterable.get(field))
        }}
        onChange={changeFilters}
      >
        {(filter, change) => <FilterFields filter={filter} fields={fields.filterable} onChange={change} />}
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
          onInput={(event) => update({ where: event.currentTarget.value })}
        />
      </details>
      <EditableList
        title="Sort"
        items={query.sort}
        add="Add sorting"
        remove={({ field }) => `Remove sorting by ${field}`}
        newItem={(): Sort => ({ field: nextField(query.sort, paths), order: 'asc' })}
        onChange={(sort) => update({ sort })}
      >
        {(sort, change) => <SortFields sort={sort} paths={paths} onChange={change} />}
      </EditableList>
      <RelationChoices
        title="Embed"
        steps={childrenOf(all, resource)}
        chosen={query.embed}
        onChange={(embed) => update({ embed })}
      />
      <RelationChoices
        title="Expand"
        steps={parentsOf(all, resource)}
        chosen={query.expand}
        onChange={(expand) => update({ expand })}
      />
      <FieldChoices key={resource} query={query} names={fields.showable} onChange={update} />
      <WindowFields query={query} onChange={update} />
    </section>
  )
}

function nextField(used: readonly { readonly field: string }[], paths: readonly string[]): string {
  return paths.find((path) => used.every(({ field }) => field !== path)) ?? paths[0] ?? 'id'
}

interface EditableListProps<Item> {
  readonly title: string
  readonly items: readonly Item[]
  readonly add: string
  readonly remove: (item: Item) => string
  readonly newItem: () => Item
  readonly onChange: (items: readonly Item[]) => void
  readonly children: (item: Item, onChange: (changed: Item) => void) => ComponentChildren
}

function EditableList<Item>(props: EditableListProps<Item>) {
  const { title, items, add, remove, newItem, onChange, children } = props
  return (
    <fieldset>
      <legend>{title}</legend>
      {items.map((item, index) => (
        <div class="line" key={String(index)}>
          {children(item, (changed) => onChange(items.with(index, changed)))}
          <IconButton icon="close" label={remove(item)} onClick={() => onChange(items.toSpliced(index, 1))} />
        </div>
      ))}
      <button type="button" class="quiet" onClick={() => onChange([...items, newItem()])}>
        <Icon name="plus" /> {add}
      </button>
    </fieldset>
  )
}

/** The filters of the URL, and those that are not in it yet, because they have no value. */
function useFilters(
  resource: string,
  inUrl: readonly Filter[],
  update: (next: Partial<Query>) => void,
): readonly [readonly Filter[], (filters: readonly Filter[]) => void] {
  const [shown, show] = useState({ resource, filters: inUrl })
  const text = JSON.stringify(inUrl)
  const isSame = resource === shown.resource && JSON.stringify(shown.filters.filter(hasValue)) === text
  useEffect(() => {
    if (!isSame) show({ resource, filters: inUrl })
  }, [resource, text])

  function change(filters: readonly Filter[]): void {
    show({ resource, filters })
    update({ filters: filters.filter(hasValue) })
  }

  return [shown.filters, change]
}
