import { beforeAll, describe, expect, it } from 'vitest'
import { type RealServer, saved, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'
import { LONGEST_WAIT, othersWaitAtBest } from '../../support/hostile/others-wait.ts'

const MB = 1024 * 1024

describe('others wait for nobody while huge values are written out', () => {
  const HUGE = {
    strings: [{ id: 1, text: 'ab"c'.repeat(10 * MB) }],
    lists: [{ id: 1, list: Array.from({ length: 2_000_000 }, (_, at) => at) }],
    profile: { pages: Array.from({ length: 10 }, () => ({ text: 'é\n'.repeat(MB) })) },
    few: [{ id: 1 }],
  }
  const ASKS: readonly (readonly [string, string, string | undefined])[] = [
    ['GET', '/strings', undefined],
    ['GET', '/strings/1', undefined],
    ['GET', '/lists', undefined],
    ['HEAD', '/lists/1', undefined],
    ['GET', '/profile', undefined],
    ['GET', '/profile?callback=show', undefined],
    ['GET', '/db', undefined],
    ['POST', '/few', '{}'],
    ['PATCH', '/lists/1', '{"seen":true}'],
    ['POST', '/__snapshots__', '{}'],
  ]
  let home: string
  let huge: RealServer

  // Searching its answers for what is confidential would take as long as writing them.
  beforeAll(async () => {
    home = folderOf({ 'db.json': HUGE })
    huge = await serveHome(home, { args: ['--snapshots', 'snapshots'] })
  })

  it.each(ASKS)('%s %s', async (method, path, body) => {
    const wait = await othersWaitAtBest(
      async () => huge,
      async () => expect((await huge.ask(method, path, body)).status).toBeLessThan(300),
    )
    expect(wait).toBeLessThan(LONGEST_WAIT)
  })

  it('and what was saved meanwhile is whole', async () => {
    const { lists, strings, few } = await saved(home)
    expect(lists).toMatchObject([{ id: 1, seen: true }])
    expect(strings).toEqual(HUGE.strings)
    expect(few).toEqual(JSON.parse((await huge.ask('GET', '/few')).body))
  })
})
