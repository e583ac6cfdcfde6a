import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GET } from './app/api/[[...path]]/route.js'

test('pages of posts link to each other', async () => {
  const response = await GET(new Request('http://localhost:3000/api/posts?_page=1&_limit=1'))
  assert.equal(response.status, 200)
  assert.match(response.headers.get('Link'), /localhost:3000\/api\/posts\?_page=2/)
})
