import * as z from 'zod/mini'
import { PRESET_STATUSES, PRESETS } from './presets.ts'
import { type ShapeTemplate, TEMPLATE } from './shape-template.ts'
import { namesIn, pathTo } from './template.ts'
import { isWord, type PartName, WORDS } from './words.ts'

const SHAPE = 'the name of a preset, or an object with list, item, error, keys and params'

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
  if (typeof setting === 'string') return isPreset(setting) ? PRESETS[setting] : {}
  const { preset, status } = setting
  if (preset === undefined || !isPreset(preset)) return setting
  return { ...PRESETS[preset], ...setting, status: status === 'preset' ? PRESET_STATUSES[preset] : status }
}

function isPreset(name: string): name is keyof typeof PRESETS {
  return Object.hasOwn(PRESETS, name)
}

type Suggest = (word: string, known: readonly string[]) => string | undefined

/** The fault of a shape, in one line: key, fault, remedy. */
function shapeFault(setting: ShapeSetting, key: string, suggest: Suggest): string | undefined {
  const unknown = (where: string, fault: string, word: string, known: readonly string[]) => {
    const near = suggest(word, known)
    return `"${where}": ${fault} ${near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean "${near}"?`}`
  }
  const presetFault = (where: string, name: string) =>
    isPreset(name) ? undefined : unknown(where, `there is no preset "${name}".`, name, Object.keys(PRESETS))
  if (typeof setting === 'string') return presetFault(key, setting)
  const known = Object.keys(TEMPLATE)
  const other = Object.keys(setting).find((one) => !known.includes(one))
  if (other !== undefined) return unknown(key, `a shape has no "${other}".`, other, known)
  const { preset, status } = setting
  const fault = preset === undefined ? undefined : presetFault(`${key}.preset`, preset)
  if (fault !== undefined) return fault
  if (status === 'preset' && preset === undefined)
    return `"${key}.status": there is no preset to take them from. Name it as "preset", or write an object.`
  for (const [name, part, needed] of PARTS) {
    const template = setting[name]
    if (template === undefined) continue
    const where = `${key}.${name}`
    const words = wordsOf(part)
    const wrong = namesIn(template).find((word) => !words.includes(`$${word}`))
    if (wrong !== undefined) {
      const fault = isWord(wrong) ? `"$${wrong}" means nothing here.` : `there is no word "$${wrong}".`
      return unknown(where, fault, `$${wrong}`, words)
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
  return Object.entries(WORDS).flatMap(([word, info]) => (info.in.includes(part) ? [`$${word}`] : []))
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
