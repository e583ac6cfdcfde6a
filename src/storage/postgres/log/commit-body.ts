import { Pace } from '../../../work/pace.ts'
import type { Commit, Effect } from '../../data/commit.ts'
import { withHidden } from '../../hidden/hidden-fields.ts'
import type { Row } from '../../types.ts'

/** What is stored of a commit beside the columns of its table. */
export type CommitBody = Omit<Commit, 'version' | 'top' | 'bytes'>

/** As JSON. Rows are whole, as in their tables: who undoes a deletion needs what they hide, too. */
export async function writeBody({ effects, ...rest }: CommitBody): Promise<string> {
  const head = JSON.stringify(rest)
  if (!effects) return head
  const pace = new Pace()
  const texts: string[] = []
  for (const effect of effects) texts.push(await writeEffect(effect, pace))
  return `${head.slice(0, -1)},"effects":[${texts.join(',')}]}`
}

/** What `writeBody` wrote, here or in another server. */
export function readBody(text: string): CommitBody {
  return JSON.parse(text) as CommitBody
}

async function writeEffect(effect: Effect, pace: Pace): Promise<string> {
  if (effect.kind === 'object') {
    const { before, after } = effect
    return JSON.stringify({ ...effect, before: withHidden(before), after: withHidden(after) })
  }
  const texts: string[] = []
  for (const { rank, ...row } of effect.rows) {
    texts.push(JSON.stringify({ rank, ...whole(row, 'before'), ...whole(row, 'after') }))
    if (pace.isDue) await pace.turn()
  }
  return `{"kind":"rows","name":${JSON.stringify(effect.name)},"rows":[${texts.join(',')}]}`
}

type Rows = { readonly before?: Row; readonly after?: Row }

function whole(rows: Rows, which: 'before' | 'after'): Rows {
  const row = rows[which]
  return row === undefined ? {} : { [which]: withHidden(row) }
}
