import * as z from 'zod/mini'
import { LAYER_NAMES, LAYER_SETTINGS, LAYERS } from '../../src/core/layers/list.ts'
import { SETTING_DOCS } from '../../src/core/layers/parts/setting.ts'
import { SETTING_FLAGS, SETTINGS } from '../../src/features/settings.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema
type Row = readonly string[]

/** docs/configuration.md with the tables of settings and their flags as the catalogue has them, each below its heading. */
export function withTables(page: string): string {
  const groups = Object.entries({ ...SETTINGS.sections, Layers: LAYER_SETTINGS })
  return groups.reduce((text, [heading, settings]) => withTable(text, heading, settings), page)
}

function withTable(
  page: string,
  heading: string,
  settings: Readonly<Record<string, z.core.$ZodType>>,
): string {
  const table = new RegExp(
    `(^##+ ${heading}\\n(?:(?!#).*\\n)*?\\| Key \\|.*\\n\\|[-|]+\\n)(?:\\|.*\\n)*`,
    'm',
  )
  if (!table.test(page)) throw new Error(`docs/configuration.md has no table of settings below "${heading}"`)
  const rows = Object.entries(settings).flatMap(([key, type]) => rowsOf(key, type))
  return page.replace(table, (_, head: string) => {
    const lines = rows.map(([key = '', flag = '', ...more]) => {
      const cells = head.includes('| Flag |') ? [key, flag, ...more] : [key, ...more]
      return `| ${cells.join(' | ')} |\n`.replaceAll('|  |', '| |').replaceAll('|  |', '| |')
    })
    return head + lines.join('')
  })
}

/** docs/layers.md with the table of layers. Its last row is not one of them. */
export function withLayers(page: string): string {
  const rows = LAYER_NAMES.map((name) => `| [\`${name}\`](#${name}) | ${LAYERS[name].about} |\n`)
  return page.replace(/(^\| Layer \|.*\n\|[-|]+\n)(?:\| \[`.*\n)*/m, (_, head) => head + rows.join(''))
}

/** A setting, and below it the options that it takes. */
function rowsOf(key: string, type: z.core.$ZodType): readonly Row[] {
  const schema: JsonSchema = z.toJSONSchema(type, { io: 'input', target: 'draft-7' })
  const { about = '', without = '' } = SETTING_DOCS.get(type) ?? {}
  const standard = schema.default === undefined ? without : written(schema.default)
  const row = [`\`${key}\``, flagOf(key), [typeName(schema), standard].filter(Boolean).join(', '), about]
  // A template of a shape has a page of its own.
  const below = key.includes('.') ? [] : optionsOf(type).filter(([, inner]) => SETTING_DOCS.has(inner))
  const rows = below.flatMap(([option, inner]) => rowsOf(`${key}.${option}`, inner))
  // An object that is no more than its options has no row of its own.
  return rows.length > 0 && schema.type === 'object' ? rows : [row, ...rows]
}

function optionsOf(type: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
  if (type instanceof z.ZodMiniObject) return Object.entries(type.shape)
  if (type instanceof z.ZodMiniUnion) return type.def.options.flatMap(optionsOf)
  return type instanceof z.ZodMiniOptional || type instanceof z.ZodMiniDefault
    ? optionsOf(type.def.innerType)
    : []
}

function written(value: unknown): string {
  const list = Array.isArray(value) && value.length > 0 ? value : [value]
  return list.map((one) => `\`${typeof one === 'string' ? one : JSON.stringify(one)}\``).join(', ')
}

function typeName(schema: JsonSchema): string {
  if (schema.const !== undefined) return written(schema.const)
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeName(each as JsonSchema)))].join(' or ')
  if (schema.type === 'array') return `list of ${typeName(schema.items as JsonSchema)}s`
  return schema.type === 'integer' ? 'number' : [schema.type].flat().join(' or ')
}

/** The names of a setting's flag. */
function flagOf(key: string): string {
  const flag = SETTING_FLAGS.find(({ path }) => path.join('.') === key)
  if (flag === undefined) return ''
  const { name, alias, also } = flag
  const short = alias === undefined ? [] : [alias.length === 1 ? `-${alias}` : `--${alias}`]
  const names = [...short, `--${name}`, ...(also === undefined ? [] : [`--${also}`])]
  return names.map((each) => `\`${each}\``).join(', ')
}
