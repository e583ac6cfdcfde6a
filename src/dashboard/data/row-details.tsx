import type { ResourceInfo } from '../../catalogue/service-info.ts'
import { EMPTY_QUERY, formatQuery } from '../client/query.ts'
import { formatRoute } from '../client/route.ts'
import { childrenOf } from '../client/service.ts'
import { shorten } from '../parts/format.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Pairs } from '../parts/pairs.tsx'
import type { Row } from './rows.ts'

interface RowDetailsProps {
  readonly resource: ResourceInfo
  readonly row: Row
  readonly id?: string
}

/** Every field of a row in full, and links to related rows. */
export function RowDetails({ resource, row, id }: RowDetailsProps) {
  const children = id === undefined ? [] : childrenOf(resource.name)
  return (
    <>
      <Pairs
        kind="fields"
        pairs={Object.entries(row).map(([name, value]) => [
          shorten(name, 200),
          <FieldValue key={name} resource={resource} name={name} value={value} />,
        ])}
      />
      {children.length > 0 && (
        <nav class="related" aria-label="Related rows">
          <h3>Related</h3>
          {children.map((child) => (
            <a key={`${child.resource} ${child.field}`} href={linkToChildren(child, id ?? '')}>
              {child.resource}
              <span class="count">
                {child.field} = {shorten(id ?? '', 20)}
              </span>
            </a>
          ))}
        </nav>
      )}
    </>
  )
}

function FieldValue({ resource, name, value }: { resource: ResourceInfo; name: string; value: unknown }) {
  const relation = resource.relations.find(({ field }) => field === name)
  if (relation && (typeof value === 'number' || (typeof value === 'string' && value !== ''))) {
    const href = formatRoute({ view: 'data', resource: relation.resource, query: '', id: String(value) })
    return (
      <a class="relation" href={href}>
        {shorten(String(value), 100)} in {relation.resource}
      </a>
    )
  }
  if (typeof value === 'string') return <LongText text={value} />
  // A few items can be read at a glance; many get one line each.
  const isLong = Array.isArray(value) && value.length > 3
  return <JsonTree value={value} depth={isLong ? 1 : 2} />
}

function linkToChildren({ resource, field }: { resource: string; field: string }, id: string): string {
  const query = formatQuery({ ...EMPTY_QUERY, filters: [{ field, operator: '', value: id }] })
  return formatRoute({ view: 'data', resource, query })
}
