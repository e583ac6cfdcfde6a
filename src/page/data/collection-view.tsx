import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'
import { revisionOf } from '../client/live.ts'
import type { Fields } from '../client/operators.ts'
import { formatQuery, parseQuery, pathOf, type Query, withQuery } from '../client/query.ts'
import { go, NEW, type Route } from '../client/route.ts'
import { type ApiResponse, headerOf, isOk } from '../client/send.ts'
import { idField, service } from '../client/service.ts'
import { useReload } from '../client/use-response.ts'
import { UrlBar } from '../parts/copy-menu.tsx'
import { Icon } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatCount } from '../parts/format.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { AddField } from './add-field.tsx'
import { ColumnsMenu, useColumns } from './columns-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { GrowRows } from './grow-rows.tsx'
import { lastPage, PAGE_SIZE, Pager } from './pager.tsx'
import { RowPanel } from './row-panel.tsx'
import { RowTable } from './row-table.tsx'
import { columnsOf, fieldsOf, rowsOf } from './rows.ts'

/** A collection as a table. The API does the sorting, filtering and paging: the URL shown is the one that was sent. */
export function CollectionView({ resource, at }: { resource: ResourceInfo; at: Route & { view: 'data' } }) {
  const { name } = resource
  const seen = useRef<{ columns: readonly string[]; fields: Fields }>({ columns: [], fields: new Map() })
  const query = withDefaults(parseQuery(at.query, (field) => seen.current.fields.has(field)))
  const path = withQuery(pathOf(name), formatQuery(query))
  const { response, reload } = useReload(path, revisionOf(name))
  const rows = rowsOf(response)
  // Keep the columns when a page is empty: they are needed to change the filter that emptied it.
  if (rows && rows.length > 0)
    seen.current = { columns: columnsOf(rows, idField(name)), fields: fieldsOf(rows) }
  const isGood = response !== undefined && isOk(response)
  const total = isGood ? Number(headerOf(response, 'x-total-count') ?? rows?.length ?? 0) : undefined
  const [columns, setColumns] = useColumns(name)
  const [failure, setFailure] = useState<ApiResponse>()
  const names = seen.current.columns
  useEffect(() => setFailure(undefined), [path])

  const update = (next: Partial<Query>, isReplacing = false) => {
    const merged = { ...query, page: '1', ...next }
    const id = at.id !== undefined && { id: at.id }
    go({ view: 'data', resource: name, query: formatQuery(merged), ...id }, isReplacing)
  }
  const create = () => go({ view: 'data', resource: name, query: at.query, id: NEW })

  // The last rows of a page may be deleted.
  const isEmpty = isGood && response.path === path && rows?.length === 0
  const isPastEnd = isEmpty && Number(total) > 0 && query.start === ''
  useEffect(() => {
    if (isPastEnd) update({ page: String(lastPage(query, Number(total))) }, true)
  }, [isPastEnd])

  return (
    <div class="collection">
      <div class="collection-main">
        <header class="view-head">
          <h1>{name}</h1>
          <span class="count">{total === undefined ? '' : formatCount(total)}</span>
          <span class="spring" />
          {names.length > 1 && (
            <ColumnsMenu
              names={names.filter((column) => column !== idField(name))}
              columns={columns}
              onChange={setColumns}
            />
          )}
          {!service.value?.readOnly && Number(total) > 0 && (
            <>
              <AddField resource={name} names={names} id={at.id || undefined} total={total} />
              <GrowRows resource={name} />
            </>
          )}
          {!service.value?.readOnly && (
            <button type="button" class="primary" onClick={create}>
              <Icon name="plus" /> New
            </button>
          )}
        </header>
        {response && !isGood && <Failure response={response} onRetry={() => update({ page: query.page })} />}
        {failure && <Failure response={failure} onRetry={() => setFailure(undefined)} />}
        <FilterBar query={query} fields={seen.current.fields} onChange={update} />
        <UrlBar path={path} response={response} />
        {isGood && rows === undefined && <JsonTree value={response.data} depth={3} />}
        {isGood && rows && !isPastEnd && (
          <RowTable
            {...{ resource, rows, names, columns, query }}
            openId={at.id}
            onChange={update}
            onColumns={setColumns}
            onCreate={create}
            onFailure={setFailure}
            onReload={reload}
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
