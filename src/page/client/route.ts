import { signal } from '@preact/signals'
import { urlSegment } from '../../core/kernel/json/url-segment.ts'
import { splitQuery } from './query.ts'
import { leaveForm } from './unsaved.ts'

/** The current view, in the address after `#`: links, reload and the back button work. */
export type Route =
  | { readonly view: 'data'; readonly resource?: string; readonly query: string; readonly id?: string }
  | { readonly view: 'query'; readonly path: string }
  | { readonly view: 'api'; readonly resource?: string }
  | { readonly view: 'requests' | 'history' | 'faults' | 'service' }

/** The id of an item being created; no real id is empty. */
export const NEW = ''

export const route = signal<Route>(parseRoute(location.hash))

addEventListener('hashchange', () => {
  const from = route.peek()
  go(parseRoute(location.hash), true)
  // Until the user agrees to leave a form, the address remains that of the form.
  if (route.peek() === from) history.pushState(null, '', formatRoute(from))
})

/** Shows another view, unless the user stays in a form with unsaved changes. */
export function go(to: Route, isReplacing = false): void {
  if (isSameForm(to)) show(to, isReplacing)
  else leaveForm(() => show(to, isReplacing))
}

function show(to: Route, isReplacing: boolean): void {
  const hash = formatRoute(to)
  if (isReplacing) history.replaceState(null, '', hash)
  else if (hash !== location.hash) history.pushState(null, '', hash)
  route.value = to
}

/** A form stays open while its table is filtered, sorted and paged. */
function isSameForm(to: Route): boolean {
  const from = route.peek()
  if (from.view !== 'data' || to.view !== 'data') return from.view === to.view
  return from.resource === to.resource && from.id === to.id
}

/** The opposite of `formatRoute`. */
function parseRoute(hash: string): Route {
  const [path, query] = splitQuery(hash.replace(/^#\/?/, ''))
  const [view, resource, id] = path.split('/')
  if (view === 'query') return { view, path: decode(query) }
  if (view === 'api') return { view, ...(resource && { resource: decode(resource) }) }
  if (view === 'requests' || view === 'history' || view === 'faults' || view === 'service') return { view }
  return {
    view: 'data',
    query,
    ...(resource && { resource: decode(resource) }),
    ...(id !== undefined && { id: id === 'new' ? NEW : decode(id.slice(1)) }),
  }
}

export function formatRoute(to: Route): string {
  if (to.view === 'query') return to.path === '' ? '#/query' : `#/query?${urlSegment(to.path)}`
  if ((to.view !== 'data' && to.view !== 'api') || to.resource === undefined) return `#/${to.view}`
  if (to.view === 'api') return `#/api/${urlSegment(to.resource)}`
  const item = to.id === undefined ? '' : to.id === NEW ? '/new' : `/.${urlSegment(to.id)}`
  return `#/data/${urlSegment(to.resource)}${item}${to.query === '' ? '' : `?${to.query}`}`
}

/** Returns the text as it is if it cannot be decoded. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
