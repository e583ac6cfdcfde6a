import type { Query } from '../client/query.ts'

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
