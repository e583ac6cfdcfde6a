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
  const inLight = await auditIn(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...inLight, ...(await auditIn(page, { runOnly: ['color-contrast'] }))].filter(isSerious).map(told)
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds in the view as it is. */
export async function auditIn(page: Page, options: object = {}): Promise<readonly Violation[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.addScriptTag({ path: AXE })
  // It need not describe what is right.
  const asked = JSON.stringify({ ...options, resultTypes: ['violations'] })
  return page.evaluate<Violation[]>(`axe.run(${asked}).then(({ violations }) => violations)`)
}

export function isSerious({ impact }: Violation): boolean {
  return impact === 'serious' || impact === 'critical'
}

export function told({ id, nodes }: Violation): string {
  return `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`
}

export async function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
}
