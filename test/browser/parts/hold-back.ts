import type { Page } from 'playwright-core'

/**
 * Holds the next request to such an address back. The function that it returns waits for that request, runs what is to
 * happen first, and lets it go; resolves once the page has the response.
 */
export async function holdBack(
  page: Page,
  url: string,
): Promise<(first: () => Promise<void>) => Promise<void>> {
  let go = () => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  const asked = page.waitForRequest(url)
  await page.route(
    url,
    async (route) => {
      await gate
      await route.continue()
    },
    { times: 1 },
  )
  return async (first) => {
    const request = await asked
    await first()
    go()
    await request.response()
  }
}
