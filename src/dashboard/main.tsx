import { render } from 'preact'
import { session } from './api/session.ts'
import { App } from './app.tsx'
import { stayLive } from './state/live.ts'
import { loadService } from './state/service.ts'

/** Made again for another session: what is typed or open belongs to the data that it was made for. */
function Page() {
  return <App key={session.value ?? ''} />
}

const root = document.getElementById('app')
if (root) {
  render(<Page />, root)
  void loadService().then(stayLive)
}
