import { createHash } from 'node:crypto'
import type { CursorPlace, CursorValue } from '../../engine/types.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import type { Query } from './query-string.ts'

/** Parameters that may differ between two pages: how many rows, and how they are shown. */
const CHANGEABLE: ReadonlySet<string> = new Set(
  '_cursor _limit _perPage _page _per_page _start _end range _fields _omit _embed _expand embed _strict _explain _delay callback _'.split(
    ' ',
  ),
)

/** A short text for what is asked: a cursor leads on with the same question only. */
export function cursorQuestion(query: Query, path: string): string {
  const asked = Object.entries(query)
    .filter(([name]) => !CHANGEABLE.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify([path, asked])
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

export function writeCursor(question: string, { values, seen }: CursorPlace): string {
  const texts = values.map(([kind, value]) => [kind, String(value)])
  return Buffer.from(JSON.stringify([question, texts, seen])).toString('base64url')
}

/** Undefined if it is none of this question. */
export function readCursor(text: string, question: string): CursorPlace | undefined {
  const read: unknown = attempt(() => JSON.parse(Buffer.from(text, 'base64url').toString()))
  const [own, texts, seen]: readonly unknown[] = Array.isArray(read) ? read : []
  const values = Array.isArray(texts) ? texts.flatMap(valueIn) : []
  const isRead = Array.isArray(texts) && values.length === texts.length && Number.isSafeInteger(seen)
  return own === question && isRead ? { values, seen: Number(seen) } : undefined
}

function valueIn(written: unknown): readonly CursorValue[] {
  const [kind, text]: readonly unknown[] = Array.isArray(written) ? written : []
  if (typeof text !== 'string') return []
  if (kind === 1 || kind === 3) return [[kind, text]]
  return kind === 0 || kind === 2 || kind === 4 || kind === 5 ? [[kind, Number(text)]] : []
}
