import { useEffect } from 'preact/hooks'
import { Banner } from './banner.tsx'
import { type Route, route } from './client/route.ts'
import { BrowseView } from './data/browse-view.tsx'
import { DeleteDialog } from './data/delete-row.tsx'
import { LeaveDialog } from './form/leave-dialog.tsx'
import { capitalize, rowName } from './parts/format.ts'
import { Notices } from './parts/notices.tsx'
import { QueryView } from './query/query-view.tsx'
import { SessionStrip } from './sessions.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { FaultsView } from './tools/faults-view.tsx'
import { HistoryView } from './tools/history-view.tsx'
import { ReferenceView } from './tools/reference-view.tsx'
import { RequestsView } from './tools/requests-view.tsx'
import { ServiceView } from './tools/service-view.tsx'
import { TopBar } from './top-bar.tsx'

export function App() {
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
