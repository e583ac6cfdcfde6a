import { useMemo, useState } from 'preact/hooks'
import type { Schema } from '../client/field-schema.ts'
import { revisionOfAll } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { formatRoute, type Route } from '../client/route.ts'
import { type ApiResponse, absolute, isOk } from '../client/send.ts'
import { idField, resources } from '../client/service.ts'
import { useResponse } from '../client/use-response.ts'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { CodedText, Icon } from '../parts/elements.tsx'
import { AccessRules, Failure } from '../parts/failure.tsx'
import { SideNav } from '../parts/side-panels.tsx'
import { exampleRow } from './example-call.ts'
import { FieldTable } from './field-table.tsx'
import { OperationList } from './operation-list.tsx'
import { type ApiDocument, type Operation, type Resource, readDocument } from './read-document.ts'

const PATH = '/__openapi'

/** To describe the data, the server reads all of it: not after each of many changes. */
const SETTLE_MS = 1000

export function ReferenceView({ at }: { at: Route & { view: 'api' } }) {
  const [turn, setTurn] = useState(0)
  const response = useResponse(PATH, `${turn} ${revisionOfAll()}`, SETTLE_MS)
  const document = useMemo(
    () => (response && isOk(response) ? readDocument(response.data) : undefined),
    [response],
  )
  const chosen = document?.resources.find(({ name }) => name === at.resource)
  return (
    <div class="data-view">
      {document && (
        <SideNav
          label="API"
          items={[
            { name: 'Overview', to: { view: 'api' }, isChosen: at.resource === undefined },
            ...document.resources.map(({ name, kind }) => ({
              name,
              to: { view: 'api', resource: name } as const,
              isChosen: name === at.resource,
              count: kind === 'object' ? kind : undefined,
            })),
          ]}
        />
      )}
      <main class="content reference" id="content">
        {!document && <h1>API</h1>}
        {response === undefined && <p class="hint">Loading…</p>}
        {response && !document && <Unreachable response={response} onRetry={() => setTurn(turn + 1)} />}
        {document && chosen && <ResourceReference key={chosen.name} resource={chosen} root={document.root} />}
        {document && at.resource === undefined && <Overview document={document} />}
        {document && at.resource !== undefined && !chosen && (
          <p class="hint">The document has no resource called “{at.resource}”.</p>
        )}
      </main>
    </div>
  )
}

/** A custom app, made with `defaults()` and `router()`, does not describe itself. */
function Unreachable({ response, onRetry }: { response: ApiResponse; onRetry: () => void }) {
  return (
    <>
      {response.status !== 404 && !isOk(response) && <Failure response={response} onRetry={onRetry} />}
      <p class="hint">
        {response.status === 404
          ? `This server does not describe its API: it has no ${PATH}.`
          : `The description of the API, ${PATH}, could not be read.`}{' '}
        {response.status === 404 && 'Servers started with the restable command or with start() have it.'}
      </p>
    </>
  )
}

function Overview({ document }: { document: ApiDocument }) {
  const { about, otherBases, resources: described, others, root } = document
  const isInternal = ({ path }: Operation) => path.startsWith('/__')
  const context = { root, source: NOTHING }
  return (
    <>
      <header class="reference-head">
        <h1>API</h1>
      </header>
      <section aria-labelledby="described">
        <h2 id="described">Resources</h2>
        {described.length === 0 && (
          <p class="hint">
            There is no data yet. Each resource appears here, with its fields, endpoints, parameters, errors
            and examples.
          </p>
        )}
        <ul class="described">
          {described.map(({ name, kind, operations }) => (
            <li key={name}>
              <a href={formatRoute({ view: 'api', resource: name })}>{name}</a>{' '}
              <span class="count">
                {kind}, {operations.length} endpoints
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Documents">
        <ul class="documents">
          <DocumentLink
            path="/__openapi"
            title="OpenAPI document"
            about="for code generators, Postman and the like"
          />
          <DocumentLink path="/__schema" title="JSON Schema" about="of all data" />
        </ul>
        <ul class="about">
          {about.map((sentence) => (
            <li key={sentence}>
              <CodedText text={sentence} />
            </li>
          ))}
          {otherBases.map((url) => (
            <li key={url}>
              Rewrite rules serve all of it below <code>{url}</code>, too.
            </li>
          ))}
        </ul>
      </section>
      <OperationList
        title="Other endpoints"
        operations={others.filter((one) => !isInternal(one))}
        {...context}
      />
      <OperationList
        title="Endpoints of the server itself"
        operations={others.filter(isInternal)}
        isFolded
        {...context}
      />
    </>
  )
}

const NOTHING = { row: undefined, schema: {}, idField: 'id' }

function ResourceReference({ resource, root }: { resource: Resource; root: Schema }) {
  const { name, kind, schema, operations } = resource
  const source = { row: exampleRow(operations, root), schema, idField: idField(name) }
  const access = resources.value.find((one) => one.name === name)?.access
  return (
    <>
      <header class="reference-head">
        <h1>{name}</h1>
        <span class="count">{kind}</span>
        <span class="spring" />
        <ul class="documents">
          <DocumentLink path={`/__schema${pathOf(name)}`} title="JSON Schema" />
          <li>
            <a href={formatRoute({ view: 'data', resource: name, query: '' })}>Data</a>
          </li>
        </ul>
      </header>
      <FieldTable schema={schema} root={root} />
      {access && (
        <section aria-labelledby="access">
          <h2 id="access">Who may do what</h2>
          <AccessRules access={access} />
        </section>
      )}
      <OperationList title="Endpoints" operations={operations} root={root} source={source} />
    </>
  )
}

/** A link to a document, and the request behind it to copy: where a guard is on, a link alone is refused. */
function DocumentLink({ path, title, about }: { path: string; title: string; about?: string }) {
  return (
    <li>
      <a href={absolute(path)} target="_blank" rel="noreferrer">
        {title} <Icon name="external" />
      </a>
      {about && <span class="count">{about}</span>}
      <CopyMenu path={path} />
    </li>
  )
}
