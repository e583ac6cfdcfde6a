import { StatusBadge } from '../parts/status-badge.tsx'
import { CodedText } from './coded-text.tsx'
import type { Response } from './read-operation.ts'

/** Every status with what it means, errors with their codes. */
export function Responses({ responses }: { responses: readonly Response[] }) {
  return (
    <>
      <h3>Responses</h3>
      <dl class="parameters">
        {responses.map(({ status, description, headers }) => (
          <div key={status}>
            <dt>
              <StatusBadge status={status} />
            </dt>
            <dd>
              <CodedText text={description} />
              {headers.length > 0 && <span class="count"> Headers: {headers.join(', ')}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
