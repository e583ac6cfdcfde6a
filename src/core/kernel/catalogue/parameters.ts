export interface ParameterInfo {
  /** In API docs. Absent if it is not for users. */
  readonly means?: string
  readonly takes: 'string' | 'names' | 'count' | 'positive' | 'status' | 'toggle' | 'true'
  readonly on: 'filters' | 'list' | 'rows' | 'reads' | 'data' | 'replace' | 'delete' | 'many' | 'history'
  /** A filter where rows have a field of that name. */
  readonly givesWay?: true
  /** Counts only as JSON; otherwise it is a filter. */
  readonly isJson?: true
  /** Without effect where the feature that reads it is off. */
  readonly isOfFeature?: true
  readonly example?: string
  readonly aliases?: readonly string[]
}

/** As other clients send it. */
const JSON_TEXT = { takes: 'string', givesWay: true, isJson: true } as const

/** Every query parameter but the filters. This is the only list of them. */
const ROWS = {
  q: {
    means: 'Any field contains this, including nested ones',
    takes: 'string',
    on: 'filters',
    aliases: ['search'],
  },
  _sort: {
    means: 'Fields to sort by, separated by commas; `-price` sorts down',
    takes: 'names',
    on: 'list',
    aliases: ['orderby', 'sortby'],
  },
  _order: { means: '`asc` or `desc` for each field of `_sort`', takes: 'names', on: 'list', example: 'desc' },
  _page: {
    means: 'Page number; a page has 10 items, or `_limit`',
    takes: 'positive',
    on: 'list',
    example: '1',
  },
  _limit: {
    means: 'At most this many items',
    takes: 'count',
    on: 'list',
    example: '10',
    aliases: ['take', 'count'],
  },
  _start: {
    means: 'From this index, counted from 0',
    takes: 'count',
    on: 'list',
    example: '10',
    aliases: ['offset', 'skip'],
  },
  _end: { means: 'Up to this index, exclusive', takes: 'count', on: 'list', example: '10' },
  _per_page: {
    means:
      'Items per page, as in json-server 1.0: the response is then an object with `first`, `prev`, `next`, `last`, `pages`, `items` and, in `data`, the list',
    takes: 'positive',
    on: 'list',
    givesWay: true,
    example: '10',
    aliases: ['pagesize'],
  },
  _cursor: {
    means:
      'Pages that rows which come and go do not shift: empty at first, then what `X-Next-Cursor` says. With `_limit`, 10 unless said',
    takes: 'string',
    on: 'list',
    givesWay: true,
    aliases: ['cursor', 'after'],
  },
  _where: {
    means:
      'A condition as JSON: `{"price":{"gt":10},"or":[{"name":{"contains":"a"}},{"company_id":{"in":[1,2]}}]}`',
    takes: 'string',
    on: 'filters',
    givesWay: true,
  },
  _embed: {
    means: 'With these children, or their own: `products.reviews`',
    takes: 'names',
    on: 'rows',
    aliases: ['include', 'populate'],
  },
  _expand: {
    means:
      'With these parents, or their own: `company.country`. In a list, filters and `_sort` may then use their fields: `company.name_like`',
    takes: 'names',
    on: 'rows',
  },
  _fields: {
    means: 'Only these fields, nested ones and those of relations too: `id,size.width,company.name`',
    takes: 'names',
    on: 'rows',
    givesWay: true,
    aliases: ['select'],
  },
  _omit: { means: 'Without these fields', takes: 'names', on: 'rows', givesWay: true },
  _strict: {
    means: '`true`: a parameter that has no effect is refused; `false`: it is ignored',
    takes: 'toggle',
    on: 'rows',
    givesWay: true,
    example: 'true',
  },
  _explain: {
    means:
      'Respond with how the query was understood, instead of rows: filters, sorting, indexes used, rows examined',
    takes: 'toggle',
    on: 'list',
    givesWay: true,
    example: 'true',
  },
  ids: { means: 'Rows with these ids', takes: 'names', on: 'filters', givesWay: true },
  filter: {
    ...JSON_TEXT,
    means: 'Filters as JSON, as ra-data-simple-rest sends them: `{"q":"x","id":[1,2]}`',
    on: 'filters',
  },
  sort: { ...JSON_TEXT, means: 'As ra-data-simple-rest sends it: `["name","ASC"]`', on: 'list' },
  range: { ...JSON_TEXT, means: 'As ra-data-simple-rest sends it: `[0,24]`', on: 'list' },
  embed: { ...JSON_TEXT, means: 'As ra-data-simple-rest sends it: `["company"]`', on: 'rows' },
  _filters: { ...JSON_TEXT, means: 'Filters as JSON, as ng-admin sends them', on: 'filters' },
  _perPage: { means: 'As ng-admin sends it: `_limit`', takes: 'string', on: 'list', givesWay: true },
  _sortField: { means: 'As ng-admin sends it: `_sort`', takes: 'string', on: 'list', givesWay: true },
  _sortDir: { means: 'As ng-admin sends it: `_order`', takes: 'string', on: 'list', givesWay: true },
  _dependent: {
    means: 'Also delete the rows of these collections that point here',
    takes: 'names',
    on: 'delete',
  },
  _all: {
    means: 'Needed to change or delete all rows; otherwise, a filter is required',
    takes: 'true',
    on: 'many',
    givesWay: true,
  },
  _upsert: {
    means:
      '`true`: create the item if it does not exist, 201 with `Location`; `false`: 404 if it does not exist',
    takes: 'toggle',
    on: 'replace',
  },
  _delay: { means: 'Respond this many milliseconds later', takes: 'count', on: 'data' },
  _status: {
    means: 'Fail with this status, on purpose',
    takes: 'status',
    on: 'data',
    givesWay: true,
    isOfFeature: true,
  },
  callback: { means: 'Respond with a call of this function (JSONP)', takes: 'string', on: 'reads' },
  _before: { takes: 'count', on: 'history', givesWay: true },
  /** jQuery's cache buster. */
  _: { takes: 'string', on: 'reads' },
} as const satisfies Readonly<Record<string, ParameterInfo>>

export type ParameterName = keyof typeof ROWS

export const PARAMETERS: Readonly<Record<ParameterName, ParameterInfo>> = ROWS

export const PARAMETER_NAMES = Object.keys(ROWS) as readonly ParameterName[]

export const KEYWORDS: readonly ParameterName[] = PARAMETER_NAMES.filter((name) => !PARAMETERS[name].isJson)

const WORDS: ReadonlySet<string> = new Set(KEYWORDS)

export function isKeyword(name: string): name is ParameterName {
  return WORDS.has(name)
}
