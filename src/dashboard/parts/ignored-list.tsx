import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { canApply } from '../client/apply-suggestion.ts'

interface IgnoredListProps {
  readonly parts: readonly IgnoredPart[] | undefined
  readonly onApply?: (part: IgnoredPart) => void
}

/** What of a request had no effect, why, and what was probably meant. */
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
  'unreadable value': 'had no effect: its value cannot be read',
  'another parameter wins': 'had no effect: another parameter takes precedence',
  'another parameter is missing': 'had no effect on its own',
  'compares whole lists': 'compares whole lists, not their entries',
  'null is a string': 'looks for the string "null"',
  'unknown resource': 'is not a resource',
}

function Suggestion({ part, onApply }: { part: IgnoredPart; onApply: IgnoredListProps['onApply'] }) {
  // An example, or a way out, is not a question.
  const isName = part.name.includes('=') || !/=| without | with /.test(part.suggestion ?? '')
  return (
    <span>
      {isName ? 'Did you mean' : 'Try'}{' '}
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
