import type { Exchange, ExchangeBody } from '../../core/kernel/catalogue/exchange.ts'
import { go } from '../client/route.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { Headers, StatusBadge } from '../parts/elements.tsx'
import { formatBytes, formatMoment, formatMs, shorten } from '../parts/format.ts'
import { RawText } from '../parts/json-tree.tsx'
import { notify } from '../parts/notices.tsx'
import { Panel } from '../parts/side-panels.tsx'
import { IgnoredList } from './response-view.tsx'

/** A request as the server recorded it: secrets masked, long bodies truncated. */
export function RequestPanel({ exchange, onClose }: { exchange: Exchange; onClose: () => void }) {
  const { method, path, status, ms, time, layer, code, message, requestBody, responseBody } = exchange
  return (
    <Panel title={`${method} ${shorten(path, 60)}`} onClose={onClose}>
      <div class="actions">
        <p class="measure">
          <StatusBadge status={status} /> <span>{formatMs(ms)}</span> <span>{formatMoment(time)}</span>
        </p>
        <span class="spring" />
        {!path.startsWith('/__') && (
          <button type="button" onClick={() => failNext(method, path)}>
            Fail the next one
          </button>
        )}
        <CopyMenu
          method={method}
          path={path}
          headers={exchange.requestHeaders}
          leftOut={leftOutOf(exchange)}
          {...(requestBody && isWhole(requestBody) && { body: requestBody.text })}
        />
      </div>
      <p class="full-path">{path}</p>
      {(layer || code) && (
        <div class="failure">
          <strong>{[layer && `Refused by ${layer}`, code].filter(Boolean).join(' · ')}</strong>
          <span>{message}</span>
        </div>
      )}
      <IgnoredList parts={exchange.ignored} />
      <Side title="Request" headers={exchange.requestHeaders} body={requestBody} />
      <Side title="Response" headers={exchange.responseHeaders} body={responseBody} />
    </Panel>
  )
}

/** The parts that a copy of the request lacks; undefined if it is complete. */
function leftOutOf({ isMasked, requestBody }: Exchange): string | undefined {
  const isCopied = requestBody !== undefined && isWhole(requestBody)
  const sentences = [
    ...(isMasked || (isCopied && requestBody.isMasked)
      ? ['Secrets are left out: put them in place of ***.']
      : []),
    ...(requestBody && !isCopied ? ['The body is left out: it was not kept in full.'] : []),
  ]
  return sentences.join(' ') || undefined
}

function isWhole({ isCut, isLeftOut }: ExchangeBody): boolean {
  return !isCut && !isLeftOut
}

interface SideProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: ExchangeBody | undefined
}

function Side({ title, headers, body }: SideProps) {
  return (
    <section class="side" aria-label={title}>
      <h3>{title}</h3>
      <Headers pairs={Object.entries(headers)} />
      {body === undefined ? (
        <p class="hint">No body</p>
      ) : (
        <>
          <RawText text={body.text} label={`Body of the ${title.toLowerCase()}`} />
          {body.isCut && <p class="hint">Only the start of {formatBytes(body.size)} was kept.</p>}
        </>
      )}
    </section>
  )
}

async function failNext(method: string, path: string): Promise<void> {
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

/** The pattern that matches exactly this path. */
function patternFor(path: string): string {
  const [plain = ''] = path.split('?', 1)
  return plain.replace(/[\\:*?+()[\]{}|^$]/g, '\\$&')
}
