/** The parts of a template: a list, one item, a row in either, an error, and an error of certain fields. */
export type PartName = 'list' | 'item' | 'row' | 'error' | 'invalid'

interface WordInfo {
  readonly in: readonly PartName[]
  /** The JSON Schema of its value. Rows have their own schema. */
  readonly schema: object
  /** Not in every response: then its key is missing, too. */
  readonly isOptional?: true
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
const LINK = { type: ['string', 'null'] }
const PAGE = { type: ['integer', 'null'] }
const PROBLEMS = { type: 'object', additionalProperties: TEXT }
const ERRORS: readonly PartName[] = ['error', 'invalid']

const ROWS = {
  rows: { in: ['list'], schema: {} },
  row: { in: ['item', 'row'], schema: {} },
  total: { in: ['list'], schema: COUNT },
  page: { in: ['list'], schema: COUNT },
  pages: { in: ['list'], schema: COUNT },
  size: { in: ['list'], schema: COUNT },
  count: { in: ['list'], schema: COUNT },
  first: { in: ['list'], schema: LINK },
  last: { in: ['list'], schema: LINK },
  next: { in: ['list'], schema: LINK },
  prev: { in: ['list'], schema: LINK },
  firstPage: { in: ['list'], schema: PAGE },
  lastPage: { in: ['list'], schema: PAGE },
  nextPage: { in: ['list'], schema: PAGE },
  prevPage: { in: ['list'], schema: PAGE },
  nextCursor: { in: ['list'], schema: LINK },
  hasMore: { in: ['list'], schema: { type: 'boolean' } },
  start: { in: ['list'], schema: COUNT },
  from: { in: ['list'], schema: PAGE },
  to: { in: ['list'], schema: PAGE },
  path: { in: ['list', ...ERRORS], schema: TEXT },
  resource: { in: ['list', 'item', 'row'], schema: TEXT },
  id: { in: ['row'], schema: {} },
  fields: { in: ['row'], schema: {} },
  relationships: { in: ['row'], schema: { type: 'object' }, isOptional: true },
  included: { in: ['list', 'item'], schema: { type: 'array', items: { type: 'object' } }, isOptional: true },
  code: { in: ERRORS, schema: TEXT },
  message: { in: ERRORS, schema: TEXT },
  errors: { in: ERRORS, schema: PROBLEMS, isOptional: true },
  errorLists: {
    in: ERRORS,
    schema: { type: 'object', additionalProperties: { type: 'array', items: TEXT } },
    isOptional: true,
  },
  status: { in: ERRORS, schema: { type: 'integer' } },
  title: { in: ERRORS, schema: TEXT },
  name: { in: ERRORS, schema: TEXT },
  time: { in: ERRORS, schema: { ...TEXT, format: 'date-time' } },
  field: { in: ['invalid'], schema: TEXT },
  pointer: { in: ['invalid'], schema: TEXT },
  problem: { in: ['invalid'], schema: TEXT },
} as const satisfies Readonly<Record<string, WordInfo>>

export type ShapeWord = keyof typeof ROWS

/** All words that a template may use as `$word`: the only list of them. */
export const WORDS: Readonly<Record<ShapeWord, WordInfo>> = ROWS

/** Absolute URLs: they depend on how the client reached us. */
export const LINKS: readonly ShapeWord[] = ['first', 'last', 'next', 'prev', 'path']

/** A list in a template that has one of these is repeated, once for each field at fault. */
export const PER_FIELD: readonly ShapeWord[] = ['field', 'pointer', 'problem']

export function isWord(name: string): name is ShapeWord {
  return Object.hasOwn(ROWS, name)
}
