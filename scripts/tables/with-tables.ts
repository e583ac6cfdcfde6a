import * as z from 'zod'
import { settingsSchema } from '../../src/app/config/config-schema.ts'
import { ENTRIES } from '../../src/app/config/setting.ts'
import { toKebabCase } from '../../src/app/config/spelling.ts'
import { FLAGS, type Flag } from '../../src/cli/flags.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema
type Row = readonly string[]

/** docs/configuration.md with the tables of settings and flags as the catalogue has them. */
export function withTables(page: string): string {
  const settings = Object.entries(settingsSchema.shape).flatMap(([key, type]) => rowsOf(key, type))
  return withTable(withTable(page, 'Key', settings), 'Flag', FLAGS.map(rowOf))
}

/** Replaces the rows of the table whose first heading is this one. */
function withTable(page: string, heading: string, rows: readonly Row[]): string {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |\n`.replaceAll('|  |', '| |')).join('')
  return page.replace(
    new RegExp(`(^\\| ${heading} \\|.*\\n\\|[-|]+\\n)(?:\\|.*\\n)*`, 'm'),
    (_, head) => head + lines,
  )
}

/** A setting, and below it the options that it takes. */
function rowsOf(key: string, type: z.ZodType): readonly Row[] {
  const schema: JsonSchema = z.toJSONSchema(type, { io: 'input', target: 'draft-7' })
  const { about = '', without = '' } = ENTRIES.get(type) ?? {}
  const [name = ''] = key.split('.').slice(-1)
  const isNested = key.includes('.')
  const spellings = isNested || toKebabCase(name) === name ? [key] : [key, toKebabCase(name)]
  const standard = schema.default === undefined ? without : written(schema.default)
  const row = [spellings.map((each) => `\`${each}\``).join(' '), typeName(schema), standard, about]
  const below = isNested ? [] : optionsOf(type)
  return [row, ...below.flatMap(([option, inner]) => rowsOf(`${key}.${option}`, inner))]
}

function optionsOf(type: z.ZodType): readonly (readonly [string, z.ZodType])[] {
  if (type instanceof z.ZodObject) return Object.entries(type.shape)
  if (type instanceof z.ZodUnion) return type.options.flatMap((each) => optionsOf(each as z.ZodType))
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault
    ? optionsOf(type.unwrap() as z.ZodType)
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
  return schema.type === 'integer' ? 'number' : String(schema.type)
}

function rowOf({ name, alias, also, isSwitch, list, max, choices, about, default: standard }: Flag): Row {
  const short = alias === undefined ? [] : [alias.length === 1 ? `-${alias}` : `--${alias}`]
  const names = [...short, `--${name}`, ...(also === undefined ? [] : [`--${also}`])]
  const value = list === 'commas' ? 'list, comma-separated' : list === 'spaces' ? 'list' : 'string'
  const type = isSwitch
    ? ''
    : max !== undefined
      ? 'number'
      : (choices?.map((each) => `\`${each}\``).join(', ') ?? value)
  return [
    names.map((each) => `\`${each}\``).join(', '),
    type,
    about,
    standard === undefined ? '' : written(standard),
  ]
}
