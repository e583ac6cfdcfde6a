import * as z from 'zod/mini'

export interface SettingDocs {
  /** The sentence that docs, `--help` and editors show. Links and backticks are for the docs. */
  readonly about: string
  /** The default in words, where there is no default value. */
  readonly without?: string
  readonly flag?: FlagEntry
  /** Its options are merged one by one: a flag may go with what a file says of the others. */
  readonly isMerged?: boolean
  /** Its keys are names that the user gives: they are never respelled. */
  readonly hasNames?: boolean
  /** In words, the data that it serves in place of the source. Settings for data of one's own mean nothing beside it. */
  readonly dataOf?: (value: unknown) => string
}

/** The flag of a setting. Named like the setting by default; takes a value unless that is true or false. */
export interface FlagEntry {
  readonly name?: string
  readonly alias?: string
  readonly also?: string
  /** Whether the flag may stand without a value. */
  readonly isBare?: boolean
  readonly list?: 'commas' | 'spaces' | 'repeated'
  readonly max?: number
  readonly choices?: readonly string[]
  /** Of a switch: what the setting becomes, where that is not true. */
  readonly value?: string
  readonly about?: string
  readonly example?: string
}

interface Details extends Omit<SettingDocs, 'about'> {
  /** The default value, if another part of the server fills it in rather than the type. */
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

/** Checked settings, from which undefined values were removed. */
export type Defined<T> = T extends readonly (infer E)[]
  ? readonly E[]
  : T extends object
    ? { readonly [K in keyof T]: Exclude<T[K], undefined> }
    : T

export const SETTING_DOCS = z.registry<SettingDocs>()

export function setting<T extends z.ZodMiniDefault>(type: T, about: string, details?: Details): T
export function setting<T extends z.ZodMiniType>(
  type: T,
  about: string,
  details?: Details,
): z.ZodMiniOptional<T>
export function setting(type: z.ZodMiniType, about: string, details: Details = {}): z.ZodMiniType {
  const { default: standard, examples, ...entry } = details
  const optional = type instanceof z.ZodMiniDefault ? type : z.optional(type)
  z.globalRegistry.add(optional, {
    description: withoutMarkup(about),
    ...(standard !== undefined && { default: standard }),
    ...(examples && { examples: [...examples] }),
  })
  SETTING_DOCS.add(optional, { about, ...entry })
  return optional
}

export function toggle(about: string, standard = false, flag?: FlagEntry) {
  const type = z._default(z.boolean('true or false'), standard)
  return setting(type, about, { examples: [!standard], ...(flag && { flag }) })
}

export function options<T extends z.core.$ZodShape>(shape: T) {
  const keys = Object.keys(shape)
  const all = `${keys.slice(0, -1).join(', ')} and ${keys.at(-1)}`
  return z.strictObject(shape, keys.length > 1 ? `an object with ${all}` : 'an object')
}

function withoutMarkup(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}
