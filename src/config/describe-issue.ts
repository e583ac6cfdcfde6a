import * as z from 'zod/mini'
import { shorten } from '../core/kernel/util/shorten.ts'
import type { AllSettings } from './config-schema.ts'
import { nearest, toCamelCase } from './spelling.ts'

type Schema = AllSettings['schema']

export function describeIssue(issue: z.core.$ZodIssue, raw: unknown, schema: Schema): string {
  const inner = deeper(issue)
  if (inner !== undefined) return describeIssue(inner, raw, schema)
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return describeUnknown(path, issue.keys, raw, schema)
  if (path.length === 0) return `the settings must be ${issue.message}, not ${describeValue(raw)}.`
  const { name, value } = locate(path, raw)
  if (issue.code === 'invalid_key') return `"${name}" must be ${issue.issues[0]?.message}.`
  if (issue.code === 'custom') return `"${name}" must be ${issue.message}.`
  const shown = isSecret(path) && value !== '' ? kindOf(value) : describeValue(value)
  // Of a string that is hidden, only that it is none would be worth saying.
  const instead = shown === 'a string' && issue.code !== 'invalid_type' ? '' : `, not ${shown}`
  const position = issue.path.at(-1)
  const subject =
    typeof position === 'number'
      ? `entry ${position + 1} of "${locate(path.slice(0, -1), raw).name}"`
      : `"${name}"`
  return `${subject} must be ${issue.message}${instead}. ${remedy(path, value, issue, name, schema)}`
}

/** The issue of the union member whose shape the value has: the actual fault is nested in it. */
function deeper(issue: z.core.$ZodIssue): z.core.$ZodIssue | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const inner = issue.errors
    .map(([first]) => first)
    .find((first) => first !== undefined && first.path.length > 0)
  return inner && { ...inner, path: [...issue.path, ...inner.path] }
}

/** Settings of earlier versions, and why there is nothing to set. */
const REMOVED: ReadonlyMap<string, string> = new Map([
  ['reads', 'reads from a database are always current'],
  ['sessions.bytes', 'sessions are limited by max and idleMs'],
])

function describeUnknown(
  path: readonly string[],
  keys: readonly string[],
  raw: unknown,
  schema: Schema,
): string {
  const [key = ''] = keys
  const reason = REMOVED.get([...path, key].join('.'))
  if (reason !== undefined)
    return `the setting "${locate([...path, key], raw).name}" is gone: ${reason}. Remove it.`
  const known = keysAt(schema, path).filter((name) => name !== '$schema')
  const near = nearest(key, known)
  const subject = `there is no setting "${locate([...path, key], raw).name}".`
  if (near !== undefined) return `${subject} Did you mean "${[...path, near].join('.')}"?`
  return known.length === 0 ? `${subject} Remove it.` : `${subject} Known here: ${known.join(', ')}.`
}

function keysAt(type: z.core.$ZodType | undefined, path: readonly string[]): readonly string[] {
  const [key, ...below] = path
  if (type instanceof z.ZodMiniOptional) return keysAt(type.def.innerType, path)
  if (type instanceof z.ZodMiniUnion) return type.def.options.flatMap((option) => keysAt(option, path))
  if (type instanceof z.ZodMiniArray) return keysAt(type.def.element, below)
  // Its keys are names of the data.
  if (type instanceof z.ZodMiniRecord) return keysAt(type.def.valueType, below)
  if (!(type instanceof z.ZodMiniObject)) return []
  return key === undefined ? Object.keys(type.shape) : keysAt(type.shape[key], below)
}

function remedy(
  path: readonly string[],
  value: unknown,
  issue: z.core.$ZodIssue,
  name: string,
  schema: Schema,
): string {
  const [key = ''] = path
  if (key === 'ssl' && typeof value === 'boolean') return `Write "https": ${value} instead.`
  if (key === 'cors' && typeof value === 'boolean') return `Write "noCors": ${!value} instead.`
  if (issue.code === 'invalid_type' && typeof value === 'string' && isQuoted(value, issue.expected)) {
    return `Write "${name.split('.').at(-1)}": ${value.trim()} without quotes.`
  }
  const example = JSON.stringify(exampleOf(key, schema))
  // The last name: entries of a list have numbers.
  const last = issue.path.findLast((step) => typeof step === 'string') ?? key
  const isAbout = path.length <= 2 || example?.includes(`"${String(last)}":`)
  return isAbout && example !== undefined ? `For example: "${key}": ${example}.` : 'Correct or remove it.'
}

function isQuoted(value: string, expected: string): boolean {
  if (expected === 'boolean') return /^\s*(true|false)\s*$/.test(value)
  return (expected === 'number' || expected === 'int') && /^\s*\d{1,10}\s*$/.test(value)
}

function exampleOf(key: string, schema: Schema): unknown {
  const found = Object.entries(schema.shape).find(([name]) => name === key)
  const examples = found && z.globalRegistry.get(found[1])?.examples
  return Array.isArray(examples) ? examples[0] : undefined
}

/** The path as written in the file, with API keys shortened to what a log may show, and the value there. */
function locate(path: readonly string[], raw: unknown): { readonly name: string; readonly value: unknown } {
  let value = raw
  const names = path.map((step, depth) => {
    const key = keyIn(value, step)
    value = key === undefined ? undefined : Reflect.get(Object(value), key)
    const name = key ?? step
    return path[0] === 'apiKey' && path[1] === 'keys' && depth === 2 ? `${name.slice(0, 5)}…` : name
  })
  return { name: names.join('.'), value }
}

function keyIn(value: unknown, step: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, step) ? step : Object.keys(value).find((key) => toCamelCase(key) === step)
}

const OPEN_OPTIONS = ['publicRoutes', 'variant', 'expiresIn']

function isSecret([layer = '', option = '']: readonly string[]): boolean {
  const isGuard = ['apiKey', 'bearer', 'jwt', 'hosted'].includes(layer)
  return option === 'secret' || (isGuard && !OPEN_OPTIONS.includes(option))
}

function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `the string ${JSON.stringify(shorten(value))}`
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : kindOf(value)
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return value === null ? 'null' : 'missing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
