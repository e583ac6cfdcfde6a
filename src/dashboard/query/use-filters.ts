import { useEffect, useState } from 'preact/hooks'
import { type Filter, hasValue } from '../client/operators.ts'
import type { Query } from '../client/query.ts'

/** The filters of the URL, and those that are not in it yet, because they have no value. */
export function useFilters(
  resource: string,
  inUrl: readonly Filter[],
  update: (next: Partial<Query>) => void,
): readonly [readonly Filter[], (filters: readonly Filter[]) => void] {
  const [shown, show] = useState({ resource, filters: inUrl })
  const text = JSON.stringify(inUrl)
  const isSame = resource === shown.resource && JSON.stringify(shown.filters.filter(hasValue)) === text
  useEffect(() => {
    if (!isSame) show({ resource, filters: inUrl })
  }, [resource, text])

  function change(filters: readonly Filter[]): void {
    show({ resource, filters })
    update({ filters: filters.filter(hasValue) })
  }

  return [shown.filters, change]
}
