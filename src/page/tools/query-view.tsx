import { useEffect, useRef, useState } from 'preact/hooks'
import type { IgnoredPart } from '../../core/kernel/catalogue/exchange.ts'
import {
  EMPTY_QUERY,
  formatQuery,
  parseQuery,
  pathOf,
  type Query,
  splitQuery,
  withQuery,
} from '../client/query.ts'
import { decode, go, type Route } from '../client/route.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { resources } from '../client/service.ts'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { MethodBadge, PathInput } from '../parts/elements.tsx'
import { applySuggestion } from './apply-suggestion.ts'
import { Builder } from './builder.tsx'
import { readExplanation } from './explanation.ts'
import { ExplainView, ResponseView } from './response-view.tsx'
import { useFields } from './use-fields.ts'

export function QueryView({ at }: { at: Route & { view: 'query' } }) {
  const [path, setPath] = useState(at.path || firstPath())
  const [result, setResult] = useState<{ response: ApiResponse; isExplained: boolean }>()
  const [isBusy, setBusy] = useState(false)
  const target = path.startsWith('/') ? path : `/${path}`
  const { resource, id, search } = splitPath(path)
  const explanation =
    result?.isExplained && isOk(result.response) ? readExplanation(result.response.data) : undefined
  const fields = useFields(resource, parseQuery(search))
  const query = parseQuery(search, (name) => fields.filterable.has(name))

  useEffect(() => {
    if (path === '' && resources.value.length > 0) setPath(firstPath())
  }, [resources.value])

  // A link or the back button changes the query; sending one leaves the address as it is.
  useEffect(() => {
    if (at.path !== '' && at.path !== path) setPath(at.path)
  }, [at.path])

  // On a phone it is below the fields, which scroll with it.
  const response = useRef<HTMLElement>(null)
  useEffect(() => {
    const parts = response.current?.parentElement
    if (result && parts && response.current) parts.scrollTop = response.current.offsetTop - parts.offsetTop
  }, [result])

  async function run(target: string, isExplained = false): Promise<void> {
    setBusy(true)
    go({ view: 'query', path: target }, true)
    const sent = isExplained ? `${target}${target.includes('?') ? '&' : '?'}_explain=true` : target
    const response = await send('GET', sent, { isRaw: true })
    setResult({ response, isExplained })
    setBusy(false)
  }

  const apply = (part: IgnoredPart) => {
    const suggested = applySuggestion(target, part)
    setPath(suggested)
    void run(suggested, result?.isExplained)
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void run(target)
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
      <form class="url-bar" onSubmit={submit}>
        <MethodBadge method="GET" />
        <PathInput path={path} onInput={setPath} />
        <CopyMenu path={target} />
        <button type="button" disabled={isBusy} onClick={() => run(target, true)}>
          Explain
        </button>
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
      </form>
      <div class="query-parts">
        <Builder resource={resource} id={id} query={query} fields={fields} onChange={change} />
        <section class="response" ref={response} aria-label="Response" aria-busy={isBusy}>
          {result === undefined && (
            <p class="hint">
              Send the query to see the response: status, time, size, what of the query had no effect, headers
              and rows. Explain shows how it is understood.
            </p>
          )}
          {result && explanation && (
            <ExplainView explanation={explanation} data={result.response.data} onApply={apply} />
          )}
          {result && !explanation && (
            <ResponseView response={result.response} onRetry={() => run(target)} onApply={apply} />
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

function splitPath(target: string): { resource: string; id: string; search: string } {
  const [path, search] = splitQuery(target)
  const [, resource = '', id = ''] = path.split('/')
  return { resource: decode(resource), id: decode(id), search }
}
