import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { CHROMIUM, CHROMIUM_FLAGS } from '../../support/page/browser.ts'

/** A page in a profile of its own, which tests use one after the other: opening a new one takes longer than most tests. */
export interface Tab {
  readonly page: Page
  readonly profile: string
  /** Where it has been. What a page stores stays with its origin, so no test may meet one again. */
  readonly origins: Set<string>
}

let running: Promise<Browser> | undefined
const idle: Tab[] = []

/** A tab that has never been at this origin, in the one browser that all tests of a file share. */
export async function takeTab(options: BrowserContextOptions, origin: string): Promise<Tab> {
  const profile = JSON.stringify(options)
  const at = idle.findIndex((tab) => tab.profile === profile && !tab.origins.has(origin))
  const [tab = await openTab(options, profile)] = at === -1 ? [] : idle.splice(at, 1)
  tab.origins.add(origin)
  return tab
}

/** Leaves nothing of a test behind that the next one could notice. */
export async function returnTab(tab: Tab): Promise<void> {
  const { page } = tab
  await page.goto('about:blank')
  await page.unrouteAll()
  for (const event of ['console', 'pageerror', 'request', 'response']) page.removeAllListeners(event)
  await page.mouse.move(-1, -1)
  await page.emulateMedia({ colorScheme: null })
  await page.context().setOffline(false)
  await page.context().clearCookies()
  idle.push(tab)
}

/** After a failure nobody knows what is left behind. */
export async function discardTab({ page }: Tab): Promise<void> {
  await page.context().close()
}

export async function closeBrowser(): Promise<void> {
  idle.length = 0
  await (await running)?.close()
  running = undefined
}

async function openTab(options: BrowserContextOptions, profile: string): Promise<Tab> {
  running ??= chromium.launch({ executablePath: CHROMIUM ?? '', args: CHROMIUM_FLAGS })
  const context = await (await running).newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(25_000)
  return { page, profile, origins: new Set() }
}
