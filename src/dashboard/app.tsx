import { DataView } from './data/data-view.tsx'
import { Notices } from './parts/notices.tsx'
import { QueryView } from './query/query-view.tsx'
import { RequestsView } from './requests/requests-view.tsx'
import { ServiceView } from './service/service-view.tsx'
import { SignInDialog } from './sign-in/sign-in-dialog.tsx'
import { route } from './state/route.ts'
import { TopBar } from './top-bar.tsx'

/** The whole page. */
export function App() {
  const at = route.value
  return (
    <>
      <a class="skip" href="#content" onClick={skipToContent}>
        Skip to content
      </a>
      <TopBar view={at.view} />
      {at.view === 'data' && <DataView at={at} />}
      {at.view === 'query' && <QueryView key={at.path} at={at} />}
      {at.view === 'requests' && <RequestsView />}
      {at.view === 'service' && <ServiceView />}
      <Notices />
      <SignInDialog />
    </>
  )
}

/** By script: what follows `#` is the page's own address. */
function skipToContent(event: Event): void {
  event.preventDefault()
  const content = document.getElementById('content')
  content?.setAttribute('tabindex', '-1')
  content?.focus()
}
