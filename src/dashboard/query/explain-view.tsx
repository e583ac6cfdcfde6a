import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { formatMs } from '../parts/format.ts'
import { IgnoredList } from '../parts/ignored-list.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import type { Explanation } from './explanation.ts'

interface ExplainViewProps {
  readonly explanation: Explanation
  readonly data: unknown
  readonly onApply: (part: IgnoredPart) => void
}

/** How a query was understood, and what it took to run it. */
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
