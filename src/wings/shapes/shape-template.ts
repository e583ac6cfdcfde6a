import * as z from 'zod/mini'
import { KEY_STYLES } from './key-style.ts'

/** Parameters of a list that other servers call otherwise: ours, and what they take. */
export const PARAMETERS = {
  page: ['_page', 'integer'],
  size: ['_limit', 'integer'],
  start: ['_start', 'integer'],
  limit: ['_limit', 'integer'],
  cursor: ['_cursor', 'string'],
  sort: ['_sort', 'string'],
  order: ['_order', 'string'],
  search: ['q', 'string'],
  fields: ['_fields', 'string'],
  embed: ['_embed', 'string'],
  filter: ['_where', 'object'],
  lookup: ['', 'string'],
} as const

export type ParameterKey = keyof typeof PARAMETERS

const STYLES = `one of ${KEY_STYLES.map((style) => `"${style}"`).join(', ')}`
const NAMES = `an object of names: ${Object.keys(PARAMETERS).join(', ')}`
const PAGES = 'an object with from, the number of the first page, and size, the rows on a page'
const FIRST = 'the number of the first page, 0 or 1'
const SIZE = 'a number of rows, 1 or more'

const MEDIA_TYPE = z.string('a media type').check(z.minLength(1, 'a media type'))
const STATUS =
  '"preset", or an object of statuses: create, update, delete (200 to 299), invalid, conflict, missing (400 to 499)'
const SUCCESS = 'a status from 200 to 299'
const FAILURE = 'a status from 400 to 499'
const success = z.optional(z.int(SUCCESS).check(z.minimum(200, SUCCESS), z.maximum(299, SUCCESS)))
const failure = z.optional(z.int(FAILURE).check(z.minimum(400, FAILURE), z.maximum(499, FAILURE)))
const STATUSES = {
  ...{ create: success, update: success, delete: success },
  ...{ invalid: failure, conflict: failure, missing: failure },
}

const name = z.string('the name of a parameter').check(z.minLength(1, 'the name of a parameter'))

/** The parts of a shape that a user may set. */
export const TEMPLATE = {
  list: part('A list. $rows are the rows'),
  unpaged: part('A list of all rows, if it looks different'),
  offset: part('A list from one row to another, if it looks different from a page'),
  item: part('One item. $row is the row'),
  row: part('Each row, in lists and items: $id, and $fields for its other fields'),
  error: part('An error'),
  invalid: part('An error of certain fields, if it looks different'),
  keys: optional(z.enum(KEY_STYLES, STYLES), 'How clients write the names of fields'),
  params: optional(
    z.strictObject(Object.fromEntries(Object.keys(PARAMETERS).map((key) => [key, z.optional(name)])), NAMES),
    'Names of query parameters, beside those of restable',
  ),
  pages: optional(
    z.strictObject(
      {
        from: z.optional(z.int(FIRST).check(z.minimum(0, FIRST), z.maximum(1, FIRST))),
        size: z.optional(z.int(SIZE).check(z.minimum(1, SIZE))),
        // Past the end comes the last page, as in json-server 1.0; otherwise, nothing.
        pastEnd: z.optional(z.literal('last', '"last"')),
      },
      PAGES,
    ),
    'The number of the first page, and the rows on a page unless the client says',
  ),
  type: optional(MEDIA_TYPE, 'Media type'),
  errorType: optional(MEDIA_TYPE, 'Media type of errors, if it is another'),
  preset: optional(z.string('the name of a preset'), 'A preset, for what else is not set'),
  status: optional(
    z.union([z.literal('preset'), z.strictObject(STATUSES, STATUS)], STATUS),
    'Statuses in place of ours: those of the preset, or by what they are for',
  ),
}

export interface ShapeTemplate extends Readonly<Omit<z.output<z.ZodMiniObject<typeof TEMPLATE>>, 'params'>> {
  readonly params?: { readonly [K in ParameterKey]?: string | undefined } | undefined
  /** Further keys that clients may send around a row, and that are not stored. */
  readonly ignored?: readonly string[]
}

export type PageSettings = NonNullable<ShapeTemplate['pages']>

function part(description: string) {
  return optional(z.unknown(), description)
}

/** A setting that may be missing, with what the JSON Schema says about it. */
export function optional<T extends z.ZodMiniType>(type: T, description: string, standard?: string) {
  const setting = z.optional(type)
  z.globalRegistry.add(setting, { description, ...(standard !== undefined && { default: standard }) })
  return setting
}
