import { render } from 'preact'
import { App } from './app.tsx'
import { stayLive } from './client/live.ts'
import { loadService } from './client/service.ts'
import { session } from './client/session.ts'

/** Made again for another session: what is typed or open belongs to the data that it was made for. */
function Page() {
  return <App key={session.value ?? ''} />
}

const root = document.getElementById('app')
if (root) {
  render(<Page />, root)
  void loadService().then(stayLive)
}
