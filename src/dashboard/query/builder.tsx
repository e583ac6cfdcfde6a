import type { Filter } from '../client/operators.ts'
import type { Query, Sort } from '../client/query.ts'
import { resources } from '../client/service.ts'
import { FieldChoices } from './field-choices.tsx'
import { FilterFields } from './filter-fields.tsx'
import { EditableList } from './lines.tsx'
import { RelationChoices } from './relation-choices.tsx'
import { childrenOf, parentsOf } from './relations.ts'
import { SortFields } from './sort-fields.tsx'
import type { ResourceFields } from './use-fields.ts'
import { WindowFields } from './window-fields.tsx'

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
