import type { ComponentChildren } from 'preact'
import { newFilter } from '../client/operators.ts'
import type { Query, QueryProps, Sort } from '../client/query.ts'
import { resources } from '../client/service.ts'
import { Check, IconButton, Select, TextField } from '../parts/controls.tsx'
import { Icon } from '../parts/elements.tsx'
import { FieldChoices, RelationChoices } from './choices.tsx'
import { FilterFields, SortFields } from './filter-fields.tsx'
import { childrenOf, parentsOf } from './relations.ts'
import type { ResourceFields } from './use-fields.ts'
import { useFilters } from './use-filters.ts'

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

function WindowFields({ query, onChange }: QueryProps) {
  const isWrapped = query.perPage !== ''
  const size = isWrapped ? 'perPage' : 'limit'
  return (
    <fieldset class="pair">
      <legend>Page or slice</legend>
      {FIELDS.map(([label, name]) => {
        const key = name === 'limit' ? size : name
        return (
          <TextField
            key={name}
            label={label}
            isNumber
            value={query[key]}
            onInput={(text) => onChange({ [key]: text })}
          />
        )
      })}
      <Check
        isOn={isWrapped}
        onToggle={() =>
          onChange(
            isWrapped
              ? { perPage: '', limit: query.perPage }
              : { perPage: query.limit || '10', limit: '', start: '', end: '' },
          )
        }
      >
        Totals in the body, as in json-server 1.0
      </Check>
    </fieldset>
  )
}

const FIELDS = [
  ['Page', 'page'],
  ['Limit', 'limit'],
  ['Start', 'start'],
  ['End', 'end'],
] as const
