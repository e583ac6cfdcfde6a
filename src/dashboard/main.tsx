import { render } from 'preact'
import { App } from './app.tsx'
import { stayLive } from './client/live.ts'
import { loadService } from './client/service.ts'
import { session } from './client/session.ts'

/** Rendered again for another session: what is typed or open belongs to the old data. */
function Page() {
  return <App key={session.value ?? ''} />
}

const root = document.getElementById('app')
if (root) {
  render(<Page />, root)
  void loadService().then(stayLive)
}
