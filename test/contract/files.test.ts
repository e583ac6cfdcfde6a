import { stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { silenceConsole } from '../support/console.ts'
import { exchange } from '../support/http/exchange.ts'
import { type Served, startPair } from '../support/oracle/servers.ts'
import { blog } from './fixtures.ts'

silenceConsole('error')

it('R28: writes the file only for a change, where json-server writes it for a 404 too', async () => {
  const pair = await startPair(blog, 'file')
  const before = [await stamp(pair.oracle), await stamp(pair.ours)]
  for (const { port } of [pair.oracle, pair.ours]) {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await exchange(port, { method, path: '/notes/99' })).toMatchObject({ status: 404, body: '{}' })
    }
  }
  const after = [await stamp(pair.oracle), await stamp(pair.ours)]
  expect(after[0]).not.toBe(before[0])
  expect(after[1]).toBe(before[1])
  await pair.close()
})

it('R8: answers a pattern that would keep json-server busy for ages', async () => {
  const data = {
    posts: [
      { id: 1, title: `${'a'.repeat(40)}!` },
      { id: 2, title: 'aaa' },
    ],
  }
  const pair = await startPair(data, 'memory')
  const started = performance.now()
  const answer = await exchange(pair.ours.port, { method: 'GET', path: '/posts?title_like=(a%2B)%2B%24' })
  expect(JSON.parse(answer.body)).toEqual([{ id: 2, title: 'aaa' }])
  expect(performance.now() - started).toBeLessThan(2_000)
  await pair.close()
})

async function stamp({ file = '' }: Served): Promise<string> {
  const { ino, mtimeNs } = await stat(file, { bigint: true })
  return `${ino} ${mtimeNs}`
}
