import { useState } from 'preact/hooks'
import type { IgnoredPart } from '../../core/kernel/catalogue/exchange.ts'
import { exchanges } from '../client/live.ts'
import { type ApiResponse, errorOf, isOk, MARK } from '../client/send.ts'
import { Segments } from '../parts/controls.tsx'
import { Headers, StatusBadge } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatBytes, formatMs } from '../parts/format.ts'
import { JsonTree, RawText } from '../parts/json-tree.tsx'
import { canApply } from './apply-suggestion.ts'
import type { Explanation } from './explanation.ts'

interface ResponseViewProps {
  readonly response: ApiResponse
  readonly onRetry: () => void
  readonly onApply: (part: IgnoredPart) => void
}

/** A response, and the parts of its request that had no effect. */
export function ResponseView({ response, onRetry, onApply }: ResponseViewProps) {
  const [isRaw, setRaw] = useState(false)
  const isJson = response.data !== undefined
  // Only the server's record of the request has the ignored parts.
  const record = exchanges.value.find(({ requestHeaders }) => requestHeaders[MARK] === response.mark)
  return (
    <>
      <p class="measure" role="status">
        <StatusBadge status={response.status} /> {response.statusText} <span>{formatMs(response.ms)}</span>{' '}
        <span>{formatBytes(response.size)}</span>
      </p>
      {!isOk(response) && errorOf(response).code !== String(response.status) && (
        <Failure response={response} onRetry={onRetry} />
      )}
      <IgnoredList parts={record?.ignored} onApply={onApply} />
      <Headers pairs={response.headers} />
      {isJson && (
        <Segments
          label="Body as"
          options={{ tree: 'Tree', text: 'Text' }}
          chosen={isRaw ? 'text' : 'tree'}
          onChoose={(name) => setRaw(name === 'text')}
        />
      )}
      {isJson && !isRaw ? (
        <JsonTree value={response.data} depth={2} />
      ) : (
        <RawText text={response.text} label="Body" />
      )}
    </>
  )
}

interface ExplainViewProps {
  readonly explanation: Explanation
  readonly data: unknown
  readonly onApply: (part: IgnoredPart) => void
}

export function ExplainView({ explanation, data, onApply }: ExplainViewProps) {
  return (
    <>
      <h2>How this query is understood</h2>
      <IgnoredList parts={explanation.ignored} onApply={onApply} />
      <dl class="explanation">
        {explanation.parts.map(([title, lines]) => (
          <div key={title}>
            <dt>{title}</dt>
            {lines.length === 0 ? (
              <dd class="count">none</dd>
            ) : (
              lines.map((line) => <dd key={line}>{line}</dd>)
            )}
          </div>
        ))}
        <div>
          <dt>Time</dt>
          <dd>{formatMs(explanation.ms)}</dd>
        </div>
      </dl>
      <details>
        <summary>As JSON</summary>
        <JsonTree value={data} depth={2} />
      </details>
    </>
  )
}

interface IgnoredListProps {
  readonly parts: readonly IgnoredPart[] | undefined
  readonly onApply?: (part: IgnoredPart) => void
}

/** Parts of a request without effect, with the reason and a suggestion. */
export function IgnoredList({ parts, onApply }: IgnoredListProps) {
  if (parts === undefined || parts.length === 0) return null
  return (
    <section class="note ignored" aria-label="Not understood">
      <strong>Not understood</strong>
      <ul>
        {parts.map((part) => (
          <li key={part.name}>
            <code>{part.name}</code> <span>{REASONS[part.reason] ?? part.reason}</span>
            {part.suggestion !== undefined && <Suggestion part={part} onApply={onApply} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  'unknown field': 'had no effect: no row has this field',
  'unknown relation': 'had no effect: there is no such relation',
  'matches nothing': 'matches nothing: no row has this field',
  'unreadable value': 'has a value that cannot be read',
  'another parameter wins': 'had no effect: another parameter takes precedence',
  'another parameter is missing': 'had no effect on its own',
  'compares whole lists': 'compares whole lists, not their entries',
  'null is a string': 'looks for the string "null"',
  'undefined is a string': 'looks for the string "undefined"',
  'unknown resource': 'is not a resource',
  'wrong method': 'is not possible',
  'empty body': 'had no body',
}

function Suggestion({ part, onApply }: { part: IgnoredPart; onApply: IgnoredListProps['onApply'] }) {
  // An example, or a way out, is not a question.
  const isNearest = part.reason === 'unknown resource'
  const isName = !isNearest && (part.name.includes('=') || !/=| without | with /.test(part.suggestion ?? ''))
  return (
    <span>
      {isNearest ? 'nearest:' : isName ? 'Did you mean' : 'Try'}{' '}
      {onApply === undefined || !canApply(part) ? (
        <code>{part.suggestion}</code>
      ) : (
        <button type="button" class="link" onClick={() => onApply(part)}>
          {part.suggestion}
        </button>
      )}
      {isName && '?'}
    </span>
  )
}
