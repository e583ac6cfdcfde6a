import * as z from 'zod/mini'
import { type FlagEntry, SETTING_DOCS } from '../core/layers/parts/setting.ts'
import type { AllSettings } from './config-schema.ts'
import { toKebabCase } from './spelling.ts'

export interface SettingFlag extends Omit<FlagEntry, 'name' | 'about'> {
  readonly name: string
  readonly path: readonly [string, ...string[]]
  readonly group: string
  readonly about: string
  readonly isSwitch: boolean
  /** True for a flag that turns off what is on by default. */
  readonly isInverse: boolean
  readonly default?: string
}

export function settingFlags({ sections }: AllSettings): readonly SettingFlag[] {
  return Object.entries(sections).flatMap(([group, settings]) =>
    Object.entries(settings).flatMap(([key, type]) => {
      const inner = type.def.innerType
      const below = inner instanceof z.ZodMiniObject ? Object.entries(inner.shape) : []
      return [
        ...flagsOf(group, [key], type),
        ...below.flatMap(([name, option]) => flagsOf(group, [key, name], option)),
      ]
    }),
  )
}

function flagsOf(group: string, path: SettingFlag['path'], type: z.core.$ZodType): readonly SettingFlag[] {
  const { flag } = SETTING_DOCS.get(type) ?? {}
  if (!flag || !(type instanceof z.ZodMiniDefault || type instanceof z.ZodMiniOptional)) return []
  const { description = '', examples, default: documented } = z.globalRegistry.get(type) ?? {}
  const standard: unknown = type instanceof z.ZodMiniDefault ? type.def.defaultValue : documented
  const isSwitch = flag.value !== undefined || type.def.innerType instanceof z.ZodMiniBoolean
  const isInverse = standard === true
  const separator = flag.list === 'commas' ? ',' : ' '
  const [example] = Array.isArray(examples) ? examples : []
  const name = toKebabCase(path.at(-1) ?? '')
  const hasDefault = !isSwitch && standard !== undefined && String(standard) !== ''
  return [
    {
      name: isInverse ? `no-${name}` : name,
      example: [example].flat().join(separator),
      about: description,
      ...flag,
      ...{ path, group, isSwitch, isInverse },
      ...(hasDefault && { default: String(standard) }),
    },
  ]
}
