import { useState } from 'preact/hooks'
import { type Answer, faultOf, isOk } from '../api/send.ts'
import { Failure } from '../parts/failure.tsx'
import { formatBytes, formatMs } from '../parts/format.ts'
import { HeaderList } from '../parts/header-list.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { RawText } from '../parts/raw-text.tsx'
import { Segments } from '../parts/segments.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'

/** Status, time, size, headers and body of an answer. */
export function AnswerView({ answer, onRetry }: { answer: Answer; onRetry: () => void }) {
  const [isRaw, setRaw] = useState(false)
  const isJson = answer.data !== undefined
  return (
    <>
      <p class="measure" role="status">
        <StatusBadge status={answer.status} /> {answer.statusText} <span>{formatMs(answer.ms)}</span>{' '}
        <span>{formatBytes(answer.size)}</span>
      </p>
      {!isOk(answer) && faultOf(answer).code !== String(answer.status) && (
        <Failure answer={answer} onRetry={onRetry} />
      )}
      <details>
        <summary>
          Headers <span class="count">{answer.headers.length}</span>
        </summary>
        <HeaderList headers={answer.headers} />
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
