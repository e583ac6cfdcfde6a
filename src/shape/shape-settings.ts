import * as z from 'zod/mini'
import { KEY_STYLES } from './key-style.ts'
import { PRESETS } from './presets.ts'
import { PARAMETER_KEYS, type ShapeTemplate } from './shape-template.ts'
import { namesIn, pathTo } from './template.ts'
import { isWord, type PartName, WORDS } from './words.ts'

const STYLES = `one of ${KEY_STYLES.map((style) => `"${style}"`).join(', ')}`
const NAMES = `an object of names: ${PARAMETER_KEYS.join(', ')}`
const PAGES = 'an object with from, the number of the first page, and size, the rows on a page'
const FIRST = 'the number of the first page, 0 or 1'
const SIZE = 'a number of rows, 1 or more'
const SHAPE = 'the name of a preset, or an object with list, item, error, keys and params'

const name = z.string('the name of a parameter').check(z.minLength(1, 'the name of a parameter'))

const TEMPLATE = {
  list: part('A list. `$rows` are the rows'),
  unpaged: part('A list of all rows, if it looks different'),
  offset: part('A list from one row to another, if it looks different from a page'),
  item: part('One item. `$row` is the row'),
  row: part('Each row, in lists and items: `$id`, and `$fields` for its other fields'),
  error: part('An error'),
  invalid: part('An error of certain fields, if it looks different'),
  keys: optional(z.enum(KEY_STYLES, STYLES), 'How clients write the names of fields'),
  params: optional(
    z.strictObject(Object.fromEntries(PARAMETER_KEYS.map((key) => [key, z.optional(name)])), NAMES),
    'Names of query parameters, beside those of restable',
  ),
  pages: optional(
    z.strictObject(
      {
        from: z.optional(z.int(FIRST).check(z.minimum(0, FIRST), z.maximum(1, FIRST))),
        size: z.optional(z.int(SIZE).check(z.minimum(1, SIZE))),
        pastEnd: z.optional(z.literal('last', '"last"')),
      },
      PAGES,
    ),
    'The number of the first page, and the rows on a page unless the client says',
  ),
  type: optional(z.string('a media type').check(z.minLength(1, 'a media type')), 'Media type'),
}

/** A preset or a template. Words, names of presets and keys are checked by `faultOfShapes`, which has suggestions. */
export const shapeSchema = z.union(
  [
    z.string(SHAPE).register(z.globalRegistry, { enum: Object.keys(PRESETS) }),
    z.looseObject(TEMPLATE, SHAPE),
  ],
  SHAPE,
)

export type ShapeSetting = string | ShapeTemplate

/** `--wrap data` */
function wrapIn(key: string): ShapeTemplate {
  return { list: { [key]: '$rows' }, item: { [key]: '$row' } }
}

export function templateOf(setting: ShapeSetting): ShapeTemplate {
  if (typeof setting !== 'string') return setting
  return Object.hasOwn(PRESETS, setting) ? Reflect.get(PRESETS, setting) : {}
}

type Suggest = (word: string, known: readonly string[]) => string | undefined

/** What of a shape cannot work, in one line: key, fault, remedy. */
function shapeFault(setting: ShapeSetting, key: string, suggest: Suggest): string | undefined {
  const unknown = (where: string, fault: string, word: string, known: readonly string[]) => {
    const near = suggest(word, known)
    return `"${where}": ${fault} ${near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean "${near}"?`}`
  }
  if (typeof setting === 'string') {
    const known = Object.keys(PRESETS)
    if (known.includes(setting)) return undefined
    return unknown(key, `there is no preset "${setting}".`, setting, known)
  }
  const known = Object.keys(TEMPLATE)
  const other = Object.keys(setting).find((one) => !known.includes(one))
  if (other !== undefined) return unknown(key, `a shape has no "${other}".`, other, known)
  for (const [name, part, needed] of PARTS) {
    const template = setting[name]
    if (template === undefined) continue
    const where = `${key}.${name}`
    const words = wordsOf(part)
    const wrong = namesIn(template).find((word) => !words.includes(word))
    if (wrong !== undefined) {
      const fault = isWord(wrong) ? `"$${wrong}" means nothing here.` : `there is no word "$${wrong}".`
      return unknown(
        where,
        fault,
        `$${wrong}`,
        words.map((word) => `$${word}`),
      )
    }
    const [first] = needed
    if (first && !needed.some((word) => pathTo(word, template)))
      return `"${where}": "$${first}" is missing. Write, for example, ${EXAMPLES[first]}.`
    if (namesIn(template).filter((word) => word === 'rows').length > 1)
      return `"${where}": "$rows" is there twice. Keep one of them.`
  }
  return undefined
}

const EXAMPLES = {
  rows: '{ "data": "$rows" }',
  row: '{ "data": "$row" }',
  fields: '{ "id": "$id", "attributes": "$fields" }',
}

const PARTS: readonly (readonly [
  name: 'list' | 'unpaged' | 'offset' | 'item' | 'row' | 'error' | 'invalid',
  part: PartName,
  needed: readonly (keyof typeof EXAMPLES)[],
])[] = [
  ['list', 'list', ['rows']],
  ['unpaged', 'list', ['rows']],
  ['offset', 'list', ['rows']],
  ['item', 'item', ['row']],
  ['row', 'row', ['fields', 'row']],
  ['error', 'error', []],
  ['invalid', 'invalid', []],
]

function wordsOf(part: PartName): readonly string[] {
  return Object.entries(WORDS).flatMap(([word, info]) => (info.in.includes(part) ? [word] : []))
}

function part(description: string) {
  return optional(z.unknown(), description.replaceAll('`', ''))
}

/** A setting that may be missing, with what the JSON Schema says about it. */
export function optional<T extends z.ZodMiniType>(type: T, description: string, standard?: string) {
  const setting = z.optional(type)
  z.globalRegistry.add(setting, { description, ...(standard !== undefined && { default: standard }) })
  return setting
}

/** The shape settings of a server: its own, and those of resources that have another. */
export interface ShapeSettings {
  readonly shape?: ShapeSetting | undefined
  readonly wrap?: string | undefined
  readonly resources?: Readonly<Record<string, { readonly shape?: ShapeSetting | undefined }>> | undefined
}

/** By name of a resource; '' for the server. Undefined where there is none. */
export function shapesIn(settings: ShapeSettings): Readonly<Record<string, ShapeSetting>> | undefined {
  const own = settings.shape ?? (settings.wrap === undefined ? undefined : wrapIn(settings.wrap))
  const all = Object.entries(settings.resources ?? {}).flatMap(([resource, { shape }]) =>
    shape === undefined ? [] : [[resource, shape] as const],
  )
  if (own === undefined && all.length === 0) return undefined
  return Object.fromEntries([...(own === undefined ? [] : [['', own] as const]), ...all])
}

export function faultOfShapes(
  settings: ShapeSettings,
  suggest: Suggest = () => undefined,
): string | undefined {
  const { shape, wrap } = settings
  if (shape !== undefined && wrap !== undefined) return '"wrap" is one kind of "shape". Keep one of them.'
  for (const [name, each] of Object.entries(shapesIn({ ...settings, wrap: undefined }) ?? {})) {
    const fault = shapeFault(each, name === '' ? 'shape' : `resources.${name}.shape`, suggest)
    if (fault !== undefined) return fault
  }
  return undefined
}
