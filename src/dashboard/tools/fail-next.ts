import { notify } from '../client/notices.ts'
import { go } from '../client/route.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { patternFor } from './describe-rule.ts'

/** Lets the next request like this one fail, and says so. */
export async function failNext(method: string, path: string): Promise<void> {
  const rule = { match: { method, path: patternFor(path) }, times: 1, status: 503 }
  const response = await send('POST', '/__faults', { body: JSON.stringify(rule) })
  if (!isOk(response)) {
    const { message } = errorOf(response)
    notify(response.status === 404 ? 'Faults are off on this server' : message, { tone: 'bad' })
    return
  }
  notify(`The next ${method} ${path.split('?', 1)[0]} fails with 503`, {
    action: { label: 'Show rules', run: () => go({ view: 'faults' }) },
  })
}
