import { useEffect, useState } from 'preact/hooks'
import type { Fields } from '../client/operators.ts'
import { EMPTY_QUERY, formatQuery, pathOf, type Query, withQuery } from '../client/query.ts'
import { send } from '../client/send.ts'
import { idField, resources } from '../client/service.ts'
import { columnsOf, fieldsOf, type Row, rowsOf } from '../data/rows.ts'

export interface ResourceFields {
  /** To filter and sort by: the row's fields, and those of expanded parents. */
  readonly filterable: Fields
  /** To show: fields, nested fields, and those of everything attached. */
  readonly showable: readonly string[]
}

const NONE: ResourceFields = { filterable: new Map(), showable: [] }

/** The fields of a resource, sampled from the data itself. */
export function useFields(resource: string, { embed, expand }: Query): ResourceFields {
  const [fields, setFields] = useState(NONE)
  const isServed = resources.value.some(({ name }) => name === resource)
  const relations = JSON.stringify([embed, expand])

  useEffect(() => {
    if (!isServed) return setFields(NONE)
    let isCurrent = true
    // A row may have many children: two rows are enough.
    const samples = [sample(resource, { expand, limit: '20' })]
    if (embed.length > 0) samples.push(sample(resource, { embed, limit: '2' }))
    void Promise.all(samples).then(([rows = [], whole = []]) => {
      if (isCurrent)
        setFields({ filterable: fieldsOf(rows), showable: namesOf(resource, [...rows, ...whole]) })
    })
    return () => {
      isCurrent = false
    }
  }, [resource, isServed, relations])

  return fields
}

async function sample(resource: string, query: Partial<Query>): Promise<readonly Row[]> {
  const path = withQuery(pathOf(resource), formatQuery({ ...EMPTY_QUERY, ...query }))
  return rowsOf(await send('GET', path)) ?? []
}

/** Each field, followed by those inside it. */
function namesOf(resource: string, rows: readonly Row[]): readonly string[] {
  const paths = [...fieldsOf(rows).keys()]
  return columnsOf(rows, idField(resource)).flatMap((name) => [
    name,
    ...paths.filter((path) => path.startsWith(`${name}.`)),
  ])
}
