import { Fragment } from 'preact'
import { useId, useState } from 'preact/hooks'
import { caller } from '../client/caller.ts'
import type { Schema } from '../client/field-schema.ts'
import { formatRoute } from '../client/route.ts'
import { absolute } from '../client/send.ts'
import { toCurl, toFetch } from '../client/snippets.ts'
import { Segments } from '../parts/controls.tsx'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { CodedText, Icon, MethodBadge, type Pair, Pairs, StatusBadge } from '../parts/elements.tsx'
import { shorten } from '../parts/format.ts'
import { RawText } from '../parts/json-tree.tsx'
import { type ExampleCall, type ExampleSource, exampleCall } from './example-call.ts'
import { type Operation, type OperationDetails, type Response, readOperation } from './read-document.ts'
import { TryIt } from './try-it.tsx'

interface OperationListProps {
  readonly title: string
  readonly operations: readonly Operation[]
  readonly root: Schema
  readonly source: ExampleSource
  /** Shown on request only. */
  readonly isFolded?: boolean
}

export function OperationList({ title, operations, isFolded = false, ...context }: OperationListProps) {
  const id = useId()
  const heading = <h2 id={id}>{title}</h2>
  const list = (
    <ul class="operations">
      {operations.map((operation) => (
        <li key={`${operation.method} ${operation.path}`}>
          <OperationLine operation={operation} {...context} />
        </li>
      ))}
    </ul>
  )
  return (
    <section aria-labelledby={id}>
      {!isFolded && heading}
      {!isFolded && list}
      {isFolded && (
        <details>
          <summary class="folded">
            {heading} <span class="count">{operations.length}</span>
          </summary>
          {list}
        </details>
      )}
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
      <Example call={exampleCall(operation, details, source)} isStream={isStream(responses)} />
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

/** An event stream never ends: there is no response to show. */
function isStream(responses: readonly Response[]): boolean {
  return responses.some(({ types }) => types.includes('text/event-stream'))
}

function Example({ call, isStream }: { call: ExampleCall; isStream: boolean }) {
  const [form, setForm] = useState<'curl' | 'fetch'>('curl')
  const [isTrying, setTrying] = useState(false)
  const { path, ...rest } = call
  const write = form === 'curl' ? toCurl : toFetch
  return (
    <div class="example">
      <div class="actions">
        <Segments
          label="Example as"
          options={{ curl: 'curl', fetch: 'fetch' }}
          chosen={form}
          onChoose={setForm}
        />
        <span class="spring" />
        {!isStream && (
          <button type="button" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
            Try it
          </button>
        )}
        {call.method === 'GET' && !isStream && (
          <a
            class="button quiet"
            title="Open in the query builder"
            href={formatRoute({ view: 'query', path })}
          >
            Query
          </a>
        )}
        <CopyMenu path={path} {...rest} />
      </div>
      <RawText label="Example" text={write({ ...rest, url: absolute(path) }, caller.value)} />
      {isTrying && <TryIt call={call} />}
    </div>
  )
}

function Parameters({ details: { parameters, filters } }: { details: OperationDetails }) {
  const named = parameters.map(
    ({ name, in: location, description }): Pair => [
      [<code key="name">{name}</code>, location !== 'query' && <span class="count"> {location}</span>],
      <CodedText key="text" text={description} />,
    ],
  )
  const filtering = [...filters].map(
    ([field, operators]): Pair => [
      <code key="field">{shorten(field, 60)}</code>,
      operators.map((operator) => <code key={operator}>{operator === '' ? '=' : operator} </code>),
    ],
  )
  return (
    <>
      {named.length > 0 && <h3>Parameters</h3>}
      {named.length > 0 && <Pairs kind="parameters" pairs={named} />}
      {filtering.length > 0 && <h3>Filters</h3>}
      {filtering.length > 0 && <Pairs kind="parameters" pairs={filtering} />}
    </>
  )
}

function Responses({ responses }: { responses: readonly Response[] }) {
  return (
    <>
      <h3>Responses</h3>
      <Pairs
        kind="parameters"
        pairs={responses.map(({ status, description, headers }) => [
          <StatusBadge key="status" status={status} />,
          <Fragment key="text">
            <CodedText text={description} />
            {headers.length > 0 && <span class="count"> Headers: {headers.join(', ')}</span>}
          </Fragment>,
        ])}
      />
    </>
  )
}
