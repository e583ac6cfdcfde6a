import { useState } from 'preact/hooks'
import { isObject } from '../../json/record.ts'
import { urlSegment } from '../../json/url-segment.ts'
import { pathOf, withQuery } from '../client/query.ts'
import { isOk, send } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { shorten } from '../parts/format.ts'
import { idOf } from './rows.ts'

/** Ids to offer: more cannot be looked through. */
const MOST = 100

/** Fields that say which row it is. */
const LABEL_FIELDS = ['name', 'title', 'label', 'email', 'username']

interface Suggestion {
  readonly value: string
  readonly label: string
}

/** The ids that a foreign key may have, asked for once the field is used. */
export function useSuggestions(resource: string | undefined): {
  readonly ids: readonly Suggestion[]
  load(): void
} {
  const [ids, setIds] = useState<readonly Suggestion[]>([])
  const [isAsked, setAsked] = useState(false)

  async function ask(name: string): Promise<void> {
    setAsked(true)
    const fields = [idField(), ...LABEL_FIELDS].map(urlSegment).join(',')
    const query = `_limit=${MOST}&_fields=${fields}`
    const response = await send('GET', withQuery(pathOf(name), query), { isRaw: true })
    const rows = isOk(response) && Array.isArray(response.data) ? response.data.filter(isObject) : []
    setIds(rows.flatMap(suggestionOf))
  }

  return {
    ids,
    load: () => {
      if (resource !== undefined && !isAsked) void ask(resource)
    },
  }
}

function suggestionOf(row: Record<string, unknown>): readonly Suggestion[] {
  const value = idOf(row, idField())
  const name = LABEL_FIELDS.map((field) => row[field]).find((text) => typeof text === 'string')
  return value === undefined ? [] : [{ value, label: shorten(String(name ?? value), 60) }]
}
