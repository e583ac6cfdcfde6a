import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** A context for `seriousIn`, which loads a program that the page's policy would refuse. */
export const PHONE = {
  bypassCSP: true,
  viewport: { width: 360, height: 740 },
  colorScheme: 'light',
} as const

/** What axe finds serious in the view; of the dark one, only its colors differ. */
export async function seriousIn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE })
  const inLight = await run(page, 'axe.run()')
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...inLight, ...(await run(page, "axe.run({ runOnly: ['color-contrast'] })"))]
}

async function run(page: Page, program: string): Promise<string[]> {
  const found = await page.evaluate<
    { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  >(`${program}.then(({ violations }) => violations)`)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

export async function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
}
