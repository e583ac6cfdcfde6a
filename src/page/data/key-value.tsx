import { formatRoute } from '../client/route.ts'
import { rowName, shorten } from '../parts/format.ts'
import { type Id, idsIn, type Key } from './keys.ts'
import { useName } from './row-names.ts'

interface KeyValueProps {
  readonly to: Key
  readonly value: unknown
  /** Of a list, only the first ones, as they fit into a cell. */
  readonly isShort?: boolean
}

const MOST_IN_CELL = 4

/** The row that a key refers to, or each of several: a link with its name. */
export function KeyValue({ to, value, isShort = false }: KeyValueProps) {
  const ids = idsIn(to, value) ?? []
  const most = isShort ? MOST_IN_CELL : ids.length
  const links = ids.slice(0, most).map((id, at) => <RowLink key={at} resource={to.resource} id={id} />)
  if (!to.isList) return <>{links}</>
  return (
    <span class="chips">
      {links}
      {ids.length === 0 && <span class="json-empty">none</span>}
      {ids.length > most && <small>+{ids.length - most}</small>}
    </span>
  )
}

/** The name of a row with its id, small; the id alone if it has no name. */
export function KeyName({ resource, id }: { resource: string; id: Id }) {
  const name = useName(resource, id)
  const text = shorten(String(id), 40)
  if (name === undefined || name === String(id)) return <>{text}</>
  return (
    <>
      {shorten(name, 60)} <small>{text}</small>
    </>
  )
}

function RowLink({ resource, id }: { resource: string; id: Id }) {
  return (
    <a
      class="relation"
      href={formatRoute({ view: 'data', resource, query: '', id: String(id) })}
      title={`Open ${rowName(resource, shorten(String(id), 40))}`}
    >
      <KeyName resource={resource} id={id} />
    </a>
  )
}
