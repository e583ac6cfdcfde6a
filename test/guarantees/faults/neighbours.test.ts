import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { saved, serveHome } from '../../support/child/real-server.ts'
import { Ledger } from '../../support/faults/ledger.ts'
import { Storm } from '../../support/faults/storm.ts'
import { folderOf } from '../../support/folder.ts'
import { asLong } from '../../support/length.ts'

const WRITES = asLong(150, 1500)

it('two servers on one file, one of them through a link, lose nothing of each other, give out no id twice, and agree in the end', {
  timeout: 120_000,
}, async () => {
  const home = folderOf({ 'db.json': { items: [] } })
  await symlink('db.json', join(home, 'link.json'))
  const servers = await Promise.all([serveHome(home), serveHome(home, { source: 'link.json' })])
  const ledger = new Ledger()
  const storms = servers.map((server, n) => new Storm(server, ledger, { seed: n + 1, clients: 6 }))
  await Promise.all(storms.map((storm) => storm.answered(WRITES)))
  await Promise.all(storms.map((storm) => storm.end()))
  const statuses = storms.flatMap(({ answers }) => answers.map(({ status }) => status))
  expect(new Set(statuses)).toEqual(new Set([200, 201]))
  ledger.check(await saved(home))

  // A write also reads the file, in servers that do not watch it.
  for (const [n, server] of servers.entries()) await server.ask('POST', '/items', { key: `last ${n}` })
  await servers[0]?.ask('PATCH', '/items/1', {})
  for (const server of servers) expect(await server.served()).toEqual(await saved(home))
  await expect.poll(() => readdir(home)).toEqual(['db.json', 'link.json'])
})

it('one of two that is killed in the middle of a save does not hold up the other', {
  timeout: 60_000,
}, async () => {
  const home = folderOf({ 'db.json': { items: [] } })
  const [victim, survivor] = await Promise.all([serveHome(home), serveHome(home)])
  const ledger = new Ledger()
  const dying = new Storm(victim, ledger, { seed: 1, clients: 6 })
  const living = new Storm(survivor, ledger, { seed: 2, clients: 6 })
  await dying.answered(30)
  await victim.stop('SIGKILL')
  await dying.end()
  await living.answered(living.answers.length + 30)
  await living.end()
  expect(living.answers.filter(({ status }) => status >= 400)).toEqual([])
  ledger.check(await saved(home))
})
