import { makeHome, type RealServer, type RealServerOptions, serveHome } from '../../support/real-server.ts'

export interface SceneOptions extends RealServerOptions {
  readonly data: Readonly<Record<string, unknown>>
  /** Where the data comes from: a file that the server owns, or an object of the user's own, which it does not. */
  readonly from?: 'db.json' | 'db.mjs'
}

/** Starts a server on the data, each time on a fresh copy of it, and ends the one before. */
export function scene({ data, from = 'db.json', ...options }: SceneOptions): () => Promise<RealServer> {
  const json = JSON.stringify(data)
  let running: RealServer | undefined
  return async () => {
    await running?.stop('SIGKILL')
    const file = from === 'db.json' ? json : `export default () => (${json})`
    running = await serveHome(await makeHome({ [from]: file }), { ...options, source: from })
    // The first request also loads and compiles what it needs.
    await running.ask('GET', '/others')
    return running
  }
}
