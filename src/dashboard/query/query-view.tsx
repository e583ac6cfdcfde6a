import { useEffect, useState } from 'preact/hooks'
import { EMPTY_QUERY, formatQuery, parseQuery, pathOf, type Query, withQuery } from '../api/query.ts'
import { type Answer, send } from '../api/send.ts'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { MethodBadge } from '../parts/status-badge.tsx'
import { go, type Route } from '../state/route.ts'
import { resources } from '../state/service.ts'
import { AnswerView } from './answer-view.tsx'
import { Builder } from './builder.tsx'
import { useFields } from './use-fields.ts'

/** Builds a query by hand or with controls, sends it, and shows the whole response. */
export function QueryView({ at }: { at: Route & { view: 'query' } }) {
  const [path, setPath] = useState(at.path || firstPath())
  const [answer, setAnswer] = useState<Answer>()
  const [isBusy, setBusy] = useState(false)
  const { resource, id, search } = splitPath(path)
  const known = useFields(resource, parseQuery(search))
  const query = parseQuery(search, (name) => known.filterable.has(name))

  useEffect(() => {
    if (path === '' && resources.value.length > 0) setPath(firstPath())
  }, [resources.value])

  // A link or the back button changes the query; sending one leaves the address as it is.
  useEffect(() => {
    if (at.path !== '' && at.path !== path) setPath(at.path)
  }, [at.path])

  async function run(event?: Event): Promise<void> {
    event?.preventDefault()
    setBusy(true)
    const target = path.startsWith('/') ? path : `/${path}`
    go({ view: 'query', path: target }, true)
    setAnswer(await send('GET', target, { isRaw: true }))
    setBusy(false)
  }

  const change = (next: { resource?: string; id?: string; query?: Partial<Query> }) => {
    const isOther = next.resource !== undefined && next.resource !== resource
    const item = isOther ? '' : (next.id ?? id)
    const merged = { ...(isOther ? { ...EMPTY_QUERY, page: '1', limit: '10' } : query), ...next.query }
    setPath(withQuery(pathOf(next.resource ?? resource, item || undefined), formatQuery(merged)))
  }

  return (
    <main class="content query-view" id="content">
      <h1 class="hidden">Query</h1>
      <form class="url-bar" onSubmit={run}>
        <MethodBadge method="GET" />
        <input
          class="url"
          aria-label="Path and query"
          spellcheck={false}
          autocapitalize="off"
          value={path}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
        <CopyMenu path={path.startsWith('/') ? path : `/${path}`} />
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
      </form>
      <div class="query-parts">
        <Builder resource={resource} id={id} query={query} known={known} onChange={change} />
        <section class="answer" aria-label="Answer" aria-busy={isBusy}>
          {answer ? (
            <AnswerView answer={answer} onRetry={run} />
          ) : (
            <p class="hint">Send the query to see the answer.</p>
          )}
        </section>
      </div>
    </main>
  )
}

function firstPath(): string {
  const first = resources.value[0]
  if (first === undefined) return ''
  return first.kind === 'object' ? pathOf(first.name) : `${pathOf(first.name)}?_page=1&_limit=10`
}

function splitPath(path: string): { resource: string; id: string; search: string } {
  const mark = path.indexOf('?')
  const [, resource = '', id = ''] = (mark === -1 ? path : path.slice(0, mark)).split('/')
  return {
    resource: decode(resource),
    id: decode(id),
    search: mark === -1 ? '' : path.slice(mark + 1),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
