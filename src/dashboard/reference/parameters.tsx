import { shorten } from '../parts/format.ts'
import { type Pair, Pairs } from '../parts/pairs.tsx'
import { CodedText } from './coded-text.tsx'
import type { OperationDetails } from './read-operation.ts'

/** What an operation can be given: in the path, in the query, in headers; and the fields to filter by. */
export function Parameters({ details: { parameters, filters } }: { details: OperationDetails }) {
  const named = parameters.map(
    ({ name, in: place, description }): Pair => [
      [<code key="name">{name}</code>, place !== 'query' && <span class="count"> {place}</span>],
      <CodedText key="text" text={description} />,
    ],
  )
  const filtering = [...filters].map(
    ([field, operators]): Pair => [
      <code key="field">{shorten(field, 60)}</code>,
      operators.map((operator) => <code key={operator}>{operator === '' ? '=' : operator} </code>),
    ],
  )
  return (
    <>
      {named.length > 0 && <h3>Parameters</h3>}
      {named.length > 0 && <Pairs kind="parameters" pairs={named} />}
      {filtering.length > 0 && <h3>Filters</h3>}
      {filtering.length > 0 && <Pairs kind="parameters" pairs={filtering} />}
    </>
  )
}
