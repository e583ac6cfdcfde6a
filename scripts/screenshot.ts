import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { start } from '../src/index.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../test/support/page/browser.ts'
import { dataset } from './generate/dataset.ts'

const TARGET = fileURLToPath(new URL('../src/page/screenshot.png', import.meta.url))
const SEED = 7

/** Takes the README's screenshot of the page, from fixed data. */
async function takeScreenshot(): Promise<void> {
  if (CHROMIUM === undefined)
    throw new Error('There is no Chromium on this machine: apt-get install chromium')
  const sections = dataset({ products: 100, companies: 100, seed: SEED, locale: 'en' })
  const data = Object.fromEntries(sections.map(({ name, rows }) => [name, [...rows]]))
  const server = await start({ data, foreignKeySuffix: '_id' })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 })
    await page.goto(`${server.url}/#/data/companies/.8?revenue_gte=20000000&_sort=name`)
    await page.getByText('Related').waitFor()
    await page.getByText('Live').waitFor()
    await page.screenshot({ path: TARGET })
  } finally {
    await browser.close()
    await server.close()
  }
}

await takeScreenshot()
