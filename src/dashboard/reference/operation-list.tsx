import { useId, useState } from 'preact/hooks'
import type { Schema } from '../client/field-schema.ts'
import { Icon } from '../parts/icon.tsx'
import { MethodBadge } from '../parts/status-badge.tsx'
import { CodedText } from './coded-text.tsx'
import { Example } from './example.tsx'
import { type ExampleSource, exampleCall } from './example-call.ts'
import { Parameters } from './parameters.tsx'
import { type Operation, readOperation } from './read-operation.ts'
import { Responses } from './responses.tsx'

interface OperationListProps {
  readonly title: string
  readonly operations: readonly Operation[]
  /** The document, in which references lead. */
  readonly root: Schema
  readonly source: ExampleSource
}

/** Operations, one line each; the details open on request. */
export function OperationList({ title, operations, ...context }: OperationListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="operations">
        {operations.map((operation) => (
          <li key={`${operation.method} ${operation.path}`}>
            <OperationLine operation={operation} {...context} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface OperationProps extends Pick<OperationListProps, 'root' | 'source'> {
  readonly operation: Operation
}

function OperationLine({ operation, ...context }: OperationProps) {
  const [isOpen, setOpen] = useState(false)
  const { method, path, summary } = operation
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="operation-head">
        <Icon name={isOpen ? 'down' : 'right'} />
        <MethodBadge method={method} /> <code class="path">{path}</code>
        <span class="count">{summary}</span>
      </summary>
      {isOpen && <Details operation={operation} {...context} />}
    </details>
  )
}

function Details({ operation, root, source }: OperationProps) {
  const details = readOperation(operation, root)
  const { description, guards, body, responses } = details
  return (
    <div class="operation">
      {description !== '' && (
        <p>
          <CodedText text={description} />
        </p>
      )}
      {guards.length > 0 && <p>Needs {guards.join(' and ')}.</p>}
      <Example call={exampleCall(operation, details, source)} />
      {body && body.types.length > 1 && (
        <p class="hint">
          The body may be <CodedText text={body.types.map((type) => `\`${type}\``).join(', ')} />.
        </p>
      )}
      <Parameters details={details} />
      <Responses responses={responses} />
    </div>
  )
}
