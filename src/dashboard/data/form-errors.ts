import { isObject } from '../../json/values.ts'

/** What the server finds wrong with a row. */
export interface FormErrors {
  /** At the field, in the server's words: `must be at least 0`. */
  readonly byField: ReadonlyMap<string, readonly string[]>
  /** Those of fields that the form does not show. */
  readonly others: readonly string[]
}

/**
 * Sorts `{ "errors": { "price": "must be at least 0", "locations.0.city": "is required" } }` by field. A nested one
 * belongs to the field that it is in.
 */
export function errorsIn(body: unknown, names: readonly string[]): FormErrors {
  const byField = new Map<string, string[]>()
  const others: string[] = []
  const errors = isObject(body) && isObject(body.errors) ? body.errors : {}
  // The longest name first: a field may be called `a.b` beside one called `a`.
  const known = names.toSorted((one, other) => other.length - one.length)
  for (const [path, message] of Object.entries(errors)) {
    const name = known.find((field) => path === field || path.startsWith(`${field}.`))
    const inside = name === undefined ? path : path.slice(name.length + 1)
    const text = inside === '' ? String(message) : `${inside} ${message}`
    if (name === undefined) others.push(text)
    else byField.set(name, [...(byField.get(name) ?? []), text])
  }
  return { byField, others }
}
