import type { ComponentChildren } from 'preact'
import type { Query } from '../api/query.ts'
import { Icon } from '../parts/icon.tsx'
import { childrenOf, resources } from '../state/service.ts'
import { Choices } from './choices.tsx'
import { FilterFields } from './filter-fields.tsx'
import { SortFields } from './sort-fields.tsx'

interface BuilderProps {
  readonly resource: string
  readonly id: string
  readonly query: Query
  readonly paths: readonly string[]
  readonly onChange: (next: { resource?: string; id?: string; query?: Partial<Query> }) => void
}

/** The query as controls. They read and write the URL, so both always agree. */
export function Builder({ resource, id, query, paths, onChange }: BuilderProps) {
  const ask = (next: Partial<Query>) => onChange({ query: next })
  const known = resources.value.find(({ name }) => name === resource)
  return (
    <section class="builder" aria-label="Query builder">
      <div class="pair">
        <label>
          Resource
          <select value={resource} onChange={(event) => onChange({ resource: event.currentTarget.value })}>
            {!known && <option value={resource}>{resource || '…'}</option>}
            {resources.value.map(({ name }) => (
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
      <Group
        title="Filters"
        onAdd={() =>
          ask({ filters: [...query.filters, { field: nextField(query, paths), operator: '', value: '' }] })
        }
      >
        {query.filters.map((filter, index) => (
          <div class="line" key={String(index)}>
            <FilterFields
              filter={filter}
              paths={paths}
              onChange={(changed) => ask({ filters: query.filters.with(index, changed) })}
            />
            <Remove
              label={`Remove filter ${filter.field}`}
              onClick={() => ask({ filters: query.filters.toSpliced(index, 1) })}
            />
          </div>
        ))}
      </Group>
      <Group
        title="Sort"
        onAdd={() => ask({ sort: [...query.sort, { field: paths[0] ?? 'id', order: 'asc' }] })}
      >
        {query.sort.map((sort, index) => (
          <div class="line" key={String(index)}>
            <SortFields
              sort={sort}
              paths={paths}
              onChange={(changed) => ask({ sort: query.sort.with(index, changed) })}
            />
            <Remove
              label={`Remove sorting by ${sort.field}`}
              onClick={() => ask({ sort: query.sort.toSpliced(index, 1) })}
            />
          </div>
        ))}
      </Group>
      <Choices
        title="Embed"
        names={[...new Set(childrenOf(resource).map((child) => child.resource))]}
        chosen={query.embed}
        onChange={(embed) => ask({ embed })}
      />
      <Choices
        title="Expand"
        names={known?.relations.map(({ expand }) => expand) ?? []}
        chosen={query.expand}
        onChange={(expand) => ask({ expand })}
      />
      <fieldset class="pair">
        <legend>Page or slice</legend>
        {WINDOW.map(([label, key]) => (
          <label key={key}>
            {label}
            <input
              type="number"
              min={0}
              value={query[key]}
              onInput={(event) => ask({ [key]: event.currentTarget.value })}
            />
          </label>
        ))}
      </fieldset>
    </section>
  )
}

const WINDOW = [
  ['Page', 'page'],
  ['Limit', 'limit'],
  ['Start', 'start'],
  ['End', 'end'],
] as const

/** The first field that has no filter yet. */
function nextField({ filters }: Query, paths: readonly string[]): string {
  return paths.find((path) => filters.every(({ field }) => field !== path)) ?? paths[0] ?? 'id'
}

function Group({
  title,
  onAdd,
  children,
}: {
  title: string
  onAdd: () => void
  children: ComponentChildren
}) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
      <button type="button" class="quiet" onClick={onAdd}>
        <Icon name="plus" /> Add {title === 'Sort' ? 'sorting' : 'a filter'}
      </button>
    </fieldset>
  )
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="quiet square" aria-label={label} onClick={onClick}>
      <Icon name="close" />
    </button>
  )
}
