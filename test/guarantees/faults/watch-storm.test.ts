import { rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { saved, serveHome } from '../../support/child/real-server.ts'
import { Ledger } from '../../support/faults/ledger.ts'
import { Random } from '../../support/faults/random.ts'
import { Storm } from '../../support/faults/storm.ts'
import { folderOf } from '../../support/folder.ts'
import { asLong } from '../../support/length.ts'

const CHANGES = asLong(60, 600)

it('loses no write and drops no request while everything it watches is written again and again', {
  timeout: 120_000,
}, async () => {
  const home = folderOf({
    'db.json': { items: [] },
    'routes.json': { '/x/*': '/$1' },
    'own.cjs': 'module.exports = (req, res, next) => next()',
  })
  const config = { watch: true, routes: 'routes.json', middlewares: ['own.cjs'] }
  const server = await serveHome(home, { config })
  const ledger = new Ledger()
  const storm = new Storm(server, ledger, { seed: 1, clients: 6 })
  for (let turn = 0; turn < CHANGES; turn += 1) {
    await writeFile(join(home, 'routes.json'), JSON.stringify({ '/x/*': '/$1', [`/y${turn}`]: '/items' }))
    await writeFile(join(home, 'own.cjs'), `module.exports = (req, res, next) => next() // ${turn}`)
    await utimes(join(home, 'db.json'), new Date(), new Date())
    await storm.answered(storm.answers.length + 3)
  }
  await storm.end()
  expect(new Set(storm.answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
  ledger.check(await saved(home))
  expect(await server.served()).toEqual(await saved(home))
})

it('answers every read with one whole version of a file that is written in every way without a pause', {
  timeout: 120_000,
}, async () => {
  const version = (n: number) =>
    JSON.stringify({ items: Array.from({ length: 50 }, (_, id) => ({ id: id + 1, n })) })
  const home = folderOf({ 'db.json': version(0) })
  const file = join(home, 'db.json')
  const server = await serveHome(home, { args: ['--watch'] })
  const random = new Random(5)
  let isOver = false
  const reader = async () => {
    while (!isOver) {
      const { status, body } = await server.ask('GET', '/items')
      expect(status).toBe(200)
      expect(new Set(JSON.parse(body).map(({ n }: { n: number }) => n)).size).toBe(1)
    }
  }
  const readers = Promise.all([reader(), reader(), reader()])
  for (let n = 1; n <= CHANGES; n += 1) {
    const text = version(n)
    const way = random.pick([
      'in place',
      'half at a time',
      'by renaming',
      'after deleting',
      'with nonsense before',
    ])
    if (way === 'half at a time') await writeFile(file, text.slice(0, random.below(text.length)))
    if (way === 'with nonsense before')
      await writeFile(file, random.pick(['[]', 'null', '"', '{"items":1}', '']))
    if (way === 'after deleting') await rm(file)
    const target = way === 'by renaming' ? join(home, 'next.json') : file
    await writeFile(target, text)
    if (target !== file) await rename(target, file)
  }
  await expect
    .poll(async () => (await server.served()).items, { timeout: 10_000 })
    .toContainEqual({ id: 50, n: CHANGES })
  isOver = true
  await readers
  expect((await server.ask('POST', '/items', { n: CHANGES })).status).toBe(201)
  expect(await server.served()).toEqual(await saved(home))
})
