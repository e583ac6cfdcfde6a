import { type Deed, PATCHES } from './tables/deeds.ts'

export interface Content {
  readonly schema: object
  readonly example?: unknown
}

/** What a request may carry, by media type. PATCH also takes the two standard patch formats. */
export function bodiesOf(deed: Deed, body: Content): Record<string, object> {
  const json = { 'application/json': media(body) }
  if (!PATCHES.includes(deed)) return json
  return {
    ...json,
    'application/merge-patch+json': media(body),
    'application/json-patch+json': { schema: { type: 'array', items: JSON_PATCH } },
  }
}

const JSON_PATCH = {
  type: 'object',
  properties: {
    op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
    path: { type: 'string' },
    from: { type: 'string' },
    value: {},
  },
  required: ['op', 'path'],
}

export function media({ schema, example }: Content): object {
  return { schema, ...(example !== undefined && !refers(example) && { example }) }
}

/** Whether tools would take a part of it for a reference: some rows have a field `$ref`. */
function refers(example: unknown): boolean {
  if (typeof example !== 'object' || example === null) return false
  return Object.entries(example).some(([key, value]) =>
    key === '$ref' ? typeof value === 'string' : refers(value),
  )
}
