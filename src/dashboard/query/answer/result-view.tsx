import type { IgnoredPart } from '../../../exchange.ts'
import { type Answer, isOk } from '../../api/send.ts'
import { AnswerView } from './answer-view.tsx'
import { ExplainView } from './explain-view.tsx'
import { readExplanation } from './explanation.ts'

interface ResultViewProps {
  readonly answer: Answer | undefined
  readonly isExplained: boolean
  readonly onRetry: () => void
  readonly onApply: (part: IgnoredPart) => void
}

/** What came back: rows, or how the query was understood. */
export function ResultView({ answer, isExplained, onRetry, onApply }: ResultViewProps) {
  if (answer === undefined) return <p class="hint">Send the query to see the answer.</p>
  const explanation = isExplained && isOk(answer) ? readExplanation(answer.data) : undefined
  if (explanation) return <ExplainView explanation={explanation} data={answer.data} onApply={onApply} />
  return <AnswerView answer={answer} onRetry={onRetry} onApply={onApply} />
}
