import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { stayLive } from './client/live.ts'
import { type Route, route } from './client/route.ts'
import { loadService } from './client/service.ts'
import { session } from './client/session.ts'
import { BrowseView } from './data/browse-view.tsx'
import { DeleteDialog } from './data/confirm-delete.tsx'
import { LeaveDialog } from './form/unsaved-changes.tsx'
import { capitalize, rowName } from './parts/format.ts'
import { Notices } from './parts/notices.tsx'
import { SessionStrip } from './sessions.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { FaultsView } from './tools/faults-view.tsx'
import { HistoryView } from './tools/history-view.tsx'
import { QueryView } from './tools/query-view.tsx'
import { ReferenceView } from './tools/reference-view.tsx'
import { RequestsView } from './tools/requests-view.tsx'
import { ServiceView } from './tools/service-view.tsx'
import { Banner, TopBar } from './top-bar.tsx'

/** Rendered again for another session: what is typed or open belongs to the old data. */
function Page() {
  return <App key={session.value ?? ''} />
}

const root = document.getElementById('app')
if (root) {
  render(<Page />, root)
  void loadService().then(stayLive)
}

function App() {
  const at = route.value
  useEffect(() => {
    document.title = `${titleOf(at)} · restable`
  }, [at])
  return (
    <>
      <button type="button" class="skip" onClick={skipToContent}>
        Skip to content
      </button>
      <TopBar view={at.view} />
      <Banner />
      <SessionStrip />
      {at.view === 'data' && <BrowseView at={at} />}
      {at.view === 'query' && <QueryView at={at} />}
      {at.view === 'api' && <ReferenceView at={at} />}
      {at.view === 'requests' && <RequestsView />}
      {at.view === 'history' && <HistoryView />}
      {at.view === 'faults' && <FaultsView />}
      {at.view === 'service' && <ServiceView />}
      <Notices />
      <DeleteDialog />
      <LeaveDialog />
      <SignInDialog />
    </>
  )
}

function titleOf(at: Route): string {
  if (at.view === 'api') return ['API', at.resource].filter(Boolean).join(' ')
  if (at.view !== 'data') return at.view
  if (at.resource === undefined || !at.id) return at.resource ?? 'data'
  return capitalize(rowName(at.resource, at.id))
}

/** Not a link: the address after `#` is the view. */
function skipToContent(): void {
  const content = document.getElementById('content')
  if (!content?.hasAttribute('tabindex')) content?.setAttribute('tabindex', '-1')
  content?.focus()
}
