import type { JsonSchema } from '../schema/json-schema.ts'
import type { Learning, Maker } from './maker.ts'
import { textMaker, uuid } from './texts.ts'

const NANOID = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict'

/** Ids in the style of these. Undefined if the server makes them: numbers, or the first ones. */
export function idMaker(
  ids: readonly unknown[],
  kind: 'increment' | 'uuid' | 'nanoid' | undefined,
  schema: JsonSchema,
  learning: Learning,
): Maker | undefined {
  if (kind === 'uuid') return (random) => uuid(random)
  if (kind === 'nanoid')
    return (random) => Array.from({ length: 21 }, () => NANOID[random.below(64)]).join('')
  const texts = ids.filter((id) => typeof id === 'string')
  if (kind !== undefined || texts.length === 0 || texts.length < ids.length) return undefined
  return (
    numberedMaker(texts) ?? textMaker(texts, schema, { resource: '', name: '', path: '', depth: 0 }, learning)
  )
}

/** `p-007` after `p-006` */
function numberedMaker(texts: readonly string[]): Maker<string> | undefined {
  const [, prefix] = /^(.*?)(\d{1,15})$/.exec(texts[0] ?? '') ?? []
  let [highest, length] = [0, 0]
  for (const text of texts) {
    const [, start, digits = ''] = /^(.*?)(\d{1,15})$/.exec(text) ?? []
    if (start === undefined || start !== prefix) return undefined
    highest = Math.max(highest, Number(digits))
    if (digits.startsWith('0')) length = Math.max(length, digits.length)
  }
  return () => `${prefix}${String(++highest).padStart(length, '0')}`
}
