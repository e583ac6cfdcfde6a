import { FILTERED, ROW_READS } from '../../../catalogue/operation-kinds.ts'
import { COUNT, NAMES, type Parameter, TEXT, TOGGLE } from './parameter.ts'

/** What selects and shapes rows. Filters that select rows to change are here as well. */
export const READ_PARAMETERS: readonly Parameter[] = [
  { name: 'q', schema: TEXT, description: 'Any field contains this, including nested ones', deeds: FILTERED },
  {
    name: '_sort',
    schema: NAMES,
    description: 'Fields to sort by, separated by commas; `-price` sorts down',
    deeds: ['list'],
  },
  {
    name: '_order',
    schema: NAMES,
    description: '`asc` or `desc` for each field of `_sort`',
    deeds: ['list'],
  },
  {
    name: '_page',
    schema: { type: 'integer', minimum: 1 },
    description: 'Page number; a page has 10 items, or `_limit`',
    deeds: ['list'],
  },
  { name: '_limit', schema: COUNT, description: 'At most this many items', deeds: ['list'] },
  { name: '_start', schema: COUNT, description: 'From this index, counted from 0', deeds: ['list'] },
  { name: '_end', schema: COUNT, description: 'Up to this index, exclusive', deeds: ['list'] },
  {
    name: '_per_page',
    schema: { type: 'integer', minimum: 1 },
    description:
      'Items per page, as in json-server 1.0: the response is then an object with `first`, `prev`, `next`, `last`, `pages`, `items` and, in `data`, the list',
    deeds: ['list'],
    givesWay: true,
  },
  {
    name: '_where',
    schema: TEXT,
    description:
      'A condition as JSON: `{"price":{"gt":10},"or":[{"name":{"contains":"a"}},{"company_id":{"in":[1,2]}}]}`',
    deeds: FILTERED,
    givesWay: true,
  },
  {
    name: '_embed',
    schema: NAMES,
    description: 'With these children, or their own: `products.reviews`',
    deeds: ROW_READS,
  },
  {
    name: '_expand',
    schema: NAMES,
    description:
      'With these parents, or their own: `company.country`. In a list, filters and `_sort` may then use their fields: `company.name_like`',
    deeds: ROW_READS,
  },
  {
    name: '_fields',
    schema: NAMES,
    description: 'Only these fields, nested ones and those of relations too: `id,size.width,company.name`',
    deeds: ROW_READS,
    givesWay: true,
  },
  { name: '_omit', schema: NAMES, description: 'Without these fields', deeds: ROW_READS, givesWay: true },
  {
    name: '_strict',
    schema: TOGGLE,
    description: ({ strict }) =>
      strict
        ? '`false`: a parameter that has no effect is ignored instead of refused'
        : '`true`: a parameter that has no effect is refused',
    deeds: ROW_READS,
    givesWay: true,
  },
  {
    name: '_explain',
    schema: TOGGLE,
    description:
      'Respond with how the query was understood, instead of rows: filters, sorting, indexes used, rows examined',
    deeds: ['list'],
    givesWay: true,
  },
  { name: 'ids', schema: NAMES, description: 'Rows with these ids', deeds: FILTERED, givesWay: true },
  ...(
    [
      ['filter', 'Filters as JSON, as ra-data-simple-rest sends them: `{"q":"x","id":[1,2]}`', FILTERED],
      ['sort', 'As ra-data-simple-rest sends it: `["name","ASC"]`', ['list']],
      ['range', 'As ra-data-simple-rest sends it: `[0,24]`', ['list']],
      ['embed', 'As ra-data-simple-rest sends it: `["company"]`', ROW_READS],
      ['_filters', 'Filters as JSON, as ng-admin sends them', FILTERED],
      ['_perPage', 'As ng-admin sends it: `_limit`', ['list']],
      ['_sortField', 'As ng-admin sends it: `_sort`', ['list']],
      ['_sortDir', 'As ng-admin sends it: `_order`', ['list']],
    ] as const
  ).map(
    ([name, description, deeds]): Parameter => ({ name, description, schema: TEXT, deeds, givesWay: true }),
  ),
]
