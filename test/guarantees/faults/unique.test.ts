import { expect, it } from 'vitest'
import { saved, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'

it('of 200 concurrent requests for the same email at each of two servers on one file, one succeeds', {
  timeout: 120_000,
}, async () => {
  const users = { unique: ['email'], references: { teamId: { resource: 'teams', onDelete: 'restrict' } } }
  const home = folderOf({
    'db.json': { users: [], teams: [{ id: 1 }] },
    'json-server.config.json': { resources: { users } },
  })
  const servers = await Promise.all([serveHome(home), serveHome(home)])
  const post = (n: number) =>
    servers.map((server) => server.ask('POST', '/users', { email: 'ada@example.com', n, teamId: 1 }))
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => post(n)).flat())
  const counts = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([counts(201), counts(409)]).toEqual([1, 399])
  expect((await saved(home)).users).toHaveLength(1)

  // What one server wrote, the other one judges by: it reads the file first.
  const [one, other] = servers
  expect((await one.ask('POST', '/teams', { id: 2 })).status).toBe(201)
  const moves = [one.ask('DELETE', '/teams/2'), other.ask('PATCH', '/users/1', { teamId: 2 })]
  const statuses = (await Promise.all(moves)).map(({ status }) => status)
  expect([
    [200, 422],
    [409, 200],
  ]).toContainEqual(statuses)
})
