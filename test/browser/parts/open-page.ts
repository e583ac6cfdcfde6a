import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type RunningServer, type StartOptions, start } from '../../../src/index.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../../support/page/browser.ts'
import { companies, products } from './fixtures.ts'

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

let running: Promise<Browser> | undefined

/** Starts a server and opens its page in a fresh profile of the one browser that all tests share. */
export async function openPage({ at = '', context = {}, ...options }: OpenOptions = {}): Promise<Opened> {
  running ??= chromium.launch({ executablePath: CHROMIUM ?? '', args: CHROMIUM_FLAGS })
  const browser = await running
  const source =
    options.source === undefined ? { data: { products: products(), companies: companies() } } : {}
  const server = await start({ foreignKeySuffix: '_id', ...source, ...options })
  const profile = await browser.newContext(context)
  onTestFinished(async () => {
    await profile.close()
    await server.close()
  })
  const page = await profile.newPage()
  page.setDefaultTimeout(25_000)
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

export async function closeBrowser(): Promise<void> {
  await (await running)?.close()
  running = undefined
}
