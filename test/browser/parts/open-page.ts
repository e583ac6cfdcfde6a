import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type RunningServer, type StartOptions, start } from '../../../src/index.ts'
import { companies, products } from './fixtures.ts'
import { discardTab, returnTab, takeTab } from './tabs.ts'

export interface Opened {
  readonly page: Page
  readonly server: RunningServer
  /** What the page itself did wrong: exceptions, and breaches of its content security policy. */
  readonly faults: readonly string[]
}

export interface OpenOptions extends StartOptions {
  /** What follows `/` in the address. */
  readonly at?: string
  readonly context?: BrowserContextOptions
}

/** Starts a server and opens its page, in a tab that knows nothing of other tests. */
export async function openPage({ at = '', context = {}, ...options }: OpenOptions = {}): Promise<Opened> {
  const source =
    options.source === undefined ? { data: { products: products(), companies: companies() } } : {}
  const server = await start({ foreignKeySuffix: '_id', ...source, ...options })
  const tab = await takeTab(context, server.url)
  onTestFinished(async ({ task }) => {
    await (task.result?.state === 'fail' ? discardTab(tab) : returnTab(tab))
    await server.close()
  })
  const { page } = tab
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text())
    }
  })
  await page.goto(`${server.url}/${at}`)
  return { page, server, faults }
}
