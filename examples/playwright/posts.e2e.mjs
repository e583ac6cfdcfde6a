import { expect, test } from 'restable/playwright'

const APP = 'http://localhost:3000/'
const count = (page) => page.evaluate(async () => (await (await fetch('/posts')).json()).length)

test('deletes all posts, and no other test misses them', async ({ page }) => {
  await page.goto(APP)
  await page.evaluate(() => fetch('/posts?_all=true', { method: 'DELETE' }))
  expect(await count(page)).toBe(0)
})

test('shows what the test made, and what fails', async ({ page, api }) => {
  await api.createMany('posts', 5)
  await page.goto(APP)
  expect(await count(page)).toBe(7)
  await api.faults.add({ match: { path: '/posts' }, status: 503 })
  expect(await page.evaluate(async () => (await fetch('/posts')).status)).toBe(503)
  const [last] = await api.requests({ path: '/posts' })
  expect(last.status).toBe(503)
})
