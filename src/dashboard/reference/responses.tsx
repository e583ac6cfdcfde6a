import { Fragment } from 'preact'
import { Pairs } from '../parts/pairs.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { CodedText } from './coded-text.tsx'
import type { Response } from './read-operation.ts'

/** Every status with what it means, errors with their codes. */
export function Responses({ responses }: { responses: readonly Response[] }) {
  return (
    <>
      <h3>Responses</h3>
      <Pairs
        kind="parameters"
        pairs={responses.map(({ status, description, headers }) => [
          <StatusBadge key="status" status={status} />,
          <Fragment key="text">
            <CodedText text={description} />
            {headers.length > 0 && <span class="count"> Headers: {headers.join(', ')}</span>}
          </Fragment>,
        ])}
      />
    </>
  )
}
