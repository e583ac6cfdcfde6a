import { pathOf } from '../api/query.ts'
import { type Answer, faultOf, isOk, send } from '../api/send.ts'
import { noteChange } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { service } from '../state/service.ts'

/**
 * Deletes a row and offers to bring it back for a while.
 * @param text the row as the server wrote it: sent back word for word, long numbers survive
 */
export async function deleteRow(resource: string, id: string, text: string): Promise<Answer> {
  const answer = await send('DELETE', pathOf(resource, id))
  if (!isOk(answer)) return answer
  noteChange(resource)
  const more = service.value?.cascade
    ? ' and the rows that depended on it, which undo does not bring back'
    : ''
  notify(`Deleted ${resource} ${id}${more}`, {
    action: { label: 'Undo', run: () => void restore(resource, id, text) },
  })
  return answer
}

async function restore(resource: string, id: string, text: string): Promise<void> {
  const answer = await send('POST', pathOf(resource), { body: text })
  if (isOk(answer)) {
    noteChange(resource)
    notify(`Brought back ${resource} ${id}`)
  } else {
    const { code, message } = faultOf(answer)
    notify(`${code}: ${message}`, { tone: 'bad' })
  }
}
