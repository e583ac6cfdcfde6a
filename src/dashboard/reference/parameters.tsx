import { shorten } from '../parts/format.ts'
import { CodedText } from './coded-text.tsx'
import type { OperationDetails } from './read-operation.ts'

/** What an operation can be given: in the path, in the query, in headers; and the fields to filter by. */
export function Parameters({ details: { parameters, filters } }: { details: OperationDetails }) {
  return (
    <>
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <dl class="parameters">
            {parameters.map(({ name, place, description }) => (
              <div key={`${place} ${name}`}>
                <dt>
                  <code>{name}</code>
                  {place !== 'query' && <span class="count"> {place}</span>}
                </dt>
                <dd>
                  <CodedText text={description} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {filters.size > 0 && (
        <>
          <h3>Filters</h3>
          <dl class="parameters">
            {[...filters].map(([field, operators]) => (
              <div key={field}>
                <dt>
                  <code>{shorten(field, 60)}</code>
                </dt>
                <dd>
                  {operators.map((operator) => (
                    <code key={operator}>{operator === '' ? '=' : operator} </code>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  )
}
