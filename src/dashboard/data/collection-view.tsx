import { useRef } from 'preact/hooks'
import type { ResourceInfo } from '../../catalogue/service-info.ts'
import { revisionOf } from '../client/live.ts'
import { formatQuery, parseQuery, pathOf, type Query, withQuery } from '../client/query.ts'
import { go, NEW, type Route } from '../client/route.ts'
import { headerOf, isOk } from '../client/send.ts'
import { idField, service } from '../client/service.ts'
import { useResponse } from '../client/use-response.ts'
import { UrlBar } from '../parts/copy-menu.tsx'
import { Icon } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatCount } from '../parts/format.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import { Pager } from './pager.tsx'
import { RowPanel } from './row-panel.tsx'
import { columnsOf, type Fields, fieldsOf, rowsOf } from './rows.ts'

const PAGE_SIZE = '25'

/** A collection as a table. The API does the sorting, filtering and paging: the URL shown is the one that was sent. */
export function CollectionView({ resource, at }: { resource: ResourceInfo; at: Route & { view: 'data' } }) {
  const { name } = resource
  const seen = useRef<{ columns: readonly string[]; fields: Fields }>({ columns: [], fields: new Map() })
  const query = withDefaults(parseQuery(at.query, (field) => seen.current.fields.has(field)))
  const path = withQuery(pathOf(name), formatQuery(query))
  const response = useResponse(path, revisionOf(name))
  const rows = rowsOf(response)
  // Keep the columns when a page is empty: they are needed to change the filter that emptied it.
  if (rows && rows.length > 0) seen.current = { columns: columnsOf(rows, idField()), fields: fieldsOf(rows) }
  const total = response && Number(headerOf(response, 'x-total-count') ?? rows?.length ?? 0)

  const update = (next: Partial<Query>) => {
    const merged = { ...query, page: '1', ...next }
    go({
      view: 'data',
      resource: name,
      query: formatQuery(merged),
      ...(at.id !== undefined && { id: at.id }),
    })
  }

  return (
    <div class="collection">
      <div class="collection-main">
        <header class="view-head">
          <h1>{name}</h1>
          <span class="count">{total === undefined ? '' : formatCount(total)}</span>
          <span class="spring" />
          {!service.value?.readOnly && (
            <button
              type="button"
              class="primary"
              onClick={() => go({ view: 'data', resource: name, query: at.query, id: NEW })}
            >
              <Icon name="plus" /> New
            </button>
          )}
        </header>
        <FilterBar query={query} fields={seen.current.fields} onChange={update} />
        <UrlBar path={path} response={response} />
        {response && !isOk(response) && (
          <Failure response={response} onRetry={() => update({ page: query.page })} />
        )}
        {response && isOk(response) && rows === undefined && <JsonTree value={response.data} depth={3} />}
        {rows && response && isOk(response) && (
          <Grid
            resource={resource}
            rows={rows}
            columns={seen.current.columns}
            query={query}
            openId={at.id}
            onSort={(sort) => update({ sort })}
          />
        )}
        {total !== undefined && <Pager query={query} total={total} onChange={update} />}
      </div>
      {at.id !== undefined && (at.id !== NEW || response !== undefined) && (
        <RowPanel
          key={at.id}
          resource={resource}
          id={at.id}
          rows={rows ?? []}
          onClose={() => go({ view: 'data', resource: name, query: at.query })}
        />
      )}
    </div>
  )
}

function withDefaults(query: Query): Query {
  // The grid shows a list, not the envelope of `_per_page`.
  const list = { ...query, limit: query.limit || query.perPage, perPage: '' }
  if (query.start !== '' || query.end !== '') return list
  return { ...list, page: list.page || '1', limit: list.limit || PAGE_SIZE }
}
