import { type RealServer, type RealServerOptions, serveHome } from '../child/real-server.ts'
import { folderOf } from '../folder.ts'

export interface SceneOptions extends RealServerOptions {
  readonly data: Readonly<Record<string, unknown>>
  /** Where the data comes from: a file that the server owns, or a user's object, which it does not own. */
  readonly from?: 'db.json' | 'db.mjs'
}

/** Starts a server on a fresh copy of the data, and ends the previous one. */
export function scene({ data, from = 'db.json', ...options }: SceneOptions): () => Promise<RealServer> {
  const json = JSON.stringify(data)
  let running: RealServer | undefined
  return async () => {
    await running?.stop('SIGKILL')
    const file = from === 'db.json' ? json : `export default () => (${json})`
    running = await serveHome(folderOf({ [from]: file }), { ...options, source: from })
    // Warm-up: the first request also loads and compiles code.
    await running.ask('GET', '/others')
    return running
  }
}
