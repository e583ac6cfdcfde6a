import { randomUUID } from 'node:crypto'
import type * as Vitest from 'vitest'
import { connect, type RemoteServer, type RemoteSession, type StartOptions, start } from '../index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The options of the server that `globalSetup: 'restable/vitest'` starts. */
    restable?: StartOptions
    restableUrl?: string
  }
}

/** The argument of a global set-up, in each version of vitest. */
interface Project {
  readonly config: { readonly provide: { readonly restable?: StartOptions } }
  provide(key: 'restableUrl', url: string): void
}

/**
 * Starts one server for all test files. Its files are not written to.
 * @example
 * export default defineConfig({
 *   test: { globalSetup: 'restable/vitest', provide: { restable: { source: 'db.json' } } },
 * })
 */
export default async function setup(project: Project): Promise<() => Promise<void>> {
  const { accounts, ...options } = project.config.provide.restable ?? {}
  // Tests may be anybody: `api().as('ada@example.com')`.
  const server = await start({ persist: false, ...options, accounts: { persona: true, ...accounts } })
  project.provide('restableUrl', server.url)
  return () => server.close()
}

/** Undefined in the global set-up, where vitest 2 and 3 refuse to be imported. */
const vitest: typeof Vitest | undefined = await import('vitest').catch(() => undefined)

/**
 * The session of this test file: other files do not see what it changes.
 * @example
 * const { create, fetch } = api()
 * await create('posts', { title: 'Hello' })
 */
export function api(): RemoteSession & Pick<RemoteServer, 'url'> {
  const url = vitest?.inject('restableUrl')
  if (url === undefined)
    throw new Error("restable/vitest: set globalSetup: 'restable/vitest' in vitest.config")
  // Files may share a process, and are run again when they change.
  const file = vitest?.expect.getState().testPath ?? ''
  const session = sessions.get(file) ?? { ...connect(url).session(`vitest-${randomUUID()}`), url }
  sessions.set(file, session)
  return session
}

const sessions = new Map<string, ReturnType<typeof api>>()
