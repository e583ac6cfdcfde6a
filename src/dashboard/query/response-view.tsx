import { useState } from 'preact/hooks'
import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { exchanges } from '../client/live.ts'
import { type Answer, faultOf, isOk, MARK } from '../client/send.ts'
import { Failure } from '../parts/failure.tsx'
import { formatBytes, formatMs } from '../parts/format.ts'
import { IgnoredList } from '../parts/ignored-list.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Pairs } from '../parts/pairs.tsx'
import { RawText } from '../parts/raw-text.tsx'
import { Segments } from '../parts/segments.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'

interface AnswerViewProps {
  readonly answer: Answer
  readonly onRetry: () => void
  readonly onApply: (part: IgnoredPart) => void
}

/** Status, time, size, headers and body of an answer, and what of the request had no effect. */
export function AnswerView({ answer, onRetry, onApply }: AnswerViewProps) {
  const [isRaw, setRaw] = useState(false)
  const isJson = answer.data !== undefined
  // The answer itself does not tell; the server's record of the request does.
  const record = exchanges.value.find(({ requestHeaders }) => requestHeaders[MARK] === answer.mark)
  return (
    <>
      <p class="measure" role="status">
        <StatusBadge status={answer.status} /> {answer.statusText} <span>{formatMs(answer.ms)}</span>{' '}
        <span>{formatBytes(answer.size)}</span>
      </p>
      {!isOk(answer) && faultOf(answer).code !== String(answer.status) && (
        <Failure answer={answer} onRetry={onRetry} />
      )}
      <IgnoredList parts={record?.ignored} onApply={onApply} />
      <details>
        <summary>
          Headers <span class="count">{answer.headers.length}</span>
        </summary>
        <Pairs kind="headers" pairs={answer.headers} />
      </details>
      {isJson && (
        <Segments
          label="Body as"
          options={{ tree: 'Tree', text: 'Text' }}
          chosen={isRaw ? 'text' : 'tree'}
          onChoose={(name) => setRaw(name === 'text')}
        />
      )}
      {isJson && !isRaw ? (
        <JsonTree value={answer.data} depth={2} />
      ) : (
        <RawText text={answer.text} label="Body" />
      )}
    </>
  )
}
