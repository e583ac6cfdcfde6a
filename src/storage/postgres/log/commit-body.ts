import { LONG } from '../../../json/json-size.ts'
import { parseInPieces } from '../../../json/parse-in-pieces.ts'
import type { Work } from '../../../work/in-slices.ts'
import type { Commit, Effect, Logged, PlacedRow, RowsEffect } from '../../commit.ts'
import { withHidden } from '../../hidden/hidden-fields.ts'

/** What is stored of a commit beside the columns of its table. */
export interface CommitBody
  extends Pick<Commit, 'names' | 'effects' | 'note' | 'isOutside'>,
    Pick<Logged, 'time' | 'undoes' | 'redoes'> {}

/** As JSON, in slices. Rows are whole, as in their tables: who undoes a deletion needs what they hide, too. */
export function* writeBody({ effects, ...rest }: CommitBody): Work<string> {
  const head = JSON.stringify(rest)
  if (!effects) return head
  const texts: string[] = []
  for (const effect of effects) texts.push(yield* writeEffect(effect))
  return `${head.slice(0, -1)},"effects":[${texts.join(',')}]}`
}

/** What `writeBody` wrote, here or in another instance: rows are whole. */
export function* readBody(text: string): Work<CommitBody> {
  const body = text.length < LONG ? JSON.parse(text) : yield* parseInPieces(text, NO_BOUNDS)
  return body as CommitBody
}

const NO_BOUNDS = {
  depth: Number.POSITIVE_INFINITY,
  keys: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
  indents: Number.POSITIVE_INFINITY,
}

function* writeEffect(effect: Effect): Work<string> {
  if (effect.kind === 'object') return JSON.stringify(effect)
  const { kind, name, removed, added, replaced } = effect
  const lists = {
    removed: yield* writeAll(removed, placedWhole),
    added: yield* writeAll(added, placedWhole),
    replaced: yield* writeAll(replaced, bothWhole),
  }
  const parts = Object.entries(lists).map(([list, text]) => `"${list}":[${text}]`)
  return `{"kind":"${kind}","name":${JSON.stringify(name)},${parts.join(',')}}`
}

function* writeAll<T>(things: readonly T[], whole: (thing: T) => T): Work<string> {
  const texts: string[] = []
  let size = 0
  for (const thing of things) {
    const text = JSON.stringify(whole(thing))
    texts.push(text)
    size += text.length
    if (size < LONG) continue
    size = 0
    yield
  }
  return texts.join(',')
}

function placedWhole({ row, ...place }: PlacedRow): PlacedRow {
  return { row: withHidden(row), ...place }
}

function bothWhole({ before, after }: RowsEffect['replaced'][number]): RowsEffect['replaced'][number] {
  return { before: withHidden(before), after: withHidden(after) }
}
