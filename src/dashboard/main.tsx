import { render } from 'preact'
import { App } from './app.tsx'
import { stayLive } from './state/live.ts'
import { loadService } from './state/service.ts'

const root = document.getElementById('app')
if (root) {
  render(<App />, root)
  void loadService().then(stayLive)
}
