import { useMemo, useState } from 'preact/hooks'
import { revisions } from '../client/live.ts'
import type { Route } from '../client/route.ts'
import { type ApiResponse, isOk } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'
import { Failure } from '../parts/failure.tsx'
import { SideNav } from '../parts/side-nav.tsx'
import { Overview } from './overview.tsx'
import { readDocument } from './read-document.ts'
import { ResourceReference } from './resource-reference.tsx'

const PATH = '/__openapi'

/** To describe the data, the server reads all of it: not after each of many changes. */
const SETTLE_MS = 1000

/** What the API serves, and how to ask for it. */
export function ReferenceView({ at }: { at: Route & { view: 'api' } }) {
  const [turn, setTurn] = useState(0)
  const response = useResponse(PATH, `${turn} ${JSON.stringify(revisions.value)}`, SETTLE_MS)
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
