import type { ResourceInfo } from '../../catalogue/service-info.ts'
import { formatRoute, route } from '../client/route.ts'
import { idField } from '../client/service.ts'
import { isNested, preview } from '../parts/preview.ts'
import type { Row } from './rows.ts'

interface CellProps {
  readonly row: Row
  readonly column: string
  readonly isNumeric: boolean
  readonly rowId: string | undefined
  readonly resource: ResourceInfo
}

/** One value of a row, on one line. The id links to the row, a foreign key to the row it references. */
export function Cell({ row, column, isNumeric, rowId, resource }: CellProps) {
  const value = Object.hasOwn(row, column) ? row[column] : undefined
  const text = preview(value)
  if (column === idField() && rowId !== undefined) {
    return (
      <th scope="row" class="id">
        <a href={linkTo(resource.name, rowId)}>{text}</a>
      </th>
    )
  }
  const relation = resource.relations.find(({ field }) => field === column)
  if (relation && (typeof value === 'number' || (typeof value === 'string' && value !== ''))) {
    const href = formatRoute({ view: 'data', resource: relation.resource, query: '', id: String(value) })
    return (
      <td class={typeof value}>
        <a class="relation" href={href} title={`Open ${relation.resource} ${text}`}>
          {text}
        </a>
      </td>
    )
  }
  return <td class={isNumeric ? 'number numeric' : kindOf(value)}>{text}</td>
}

function linkTo(resource: string, id: string): string {
  const at = route.value
  return formatRoute({ view: 'data', resource, query: at.view === 'data' ? at.query : '', id })
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return isNested(value) ? 'nested' : typeof value
}
