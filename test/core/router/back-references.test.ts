import { afterEach, describe, expect, it } from 'vitest'
import { describeApi, type OpenedServer, open, type StartOptions } from '../../../src/index.ts'

const ISSUES = [
  { id: 1, assigneeId: 1, reporterId: 2 },
  { id: 2, assigneeId: 2, reporterId: 2 },
]
const data = (issues: readonly object[] = ISSUES) => ({
  users: [{ id: 1 }, { id: 2 }],
  issues: structuredClone(issues),
  remarks: [{ id: 1, issueId: 1 }],
})
const USERS = { resource: 'users' }
const ONE = { issues: { references: { assigneeId: USERS } } }
const SEVERAL = { issues: { references: { assigneeId: USERS, reporterId: USERS } } }

let api: OpenedServer
afterEach(() => api.close())

async function ask(path: string, method = 'GET', body?: object) {
  const sent = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await api.fetch(path, { method, ...sent })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function openWith(resources: StartOptions['resources'], issues = ISSUES as readonly object[]) {
  return open({ data: data(issues), live: false, ...(resources && { resources }) })
}

describe('backwards', () => {
  it('by the only reference that the settings name', async () => {
    api = await openWith(ONE)
    expect((await ask('/users/1?_embed=issues')).body.issues).toEqual([ISSUES[0]])
    expect((await ask('/users?_embed=issues.remarks')).body[0].issues[0].remarks).toHaveLength(1)
    expect((await ask('/users/1/issues')).body).toEqual([ISSUES[0]])
    expect((await ask('/users/1/issues/1')).body).toEqual(ISSUES[0])
    expect((await ask('/users/1/issues/2')).status).toBe(404)
    expect((await ask('/users/1/issues/1/remarks')).body).toHaveLength(1)
    expect((await ask('/users/2/issues/1/remarks')).status).toBe(404)
    const created = await ask('/users/2/issues', 'POST', { title: 'New' })
    expect(created.body).toEqual({ id: 3, title: 'New', assigneeId: '2' })
    const changed = await ask('/users/2/issues/3', 'PATCH', { title: 'Old', assigneeId: 1 })
    expect(changed.body).toEqual({ id: 3, title: 'Old', assigneeId: '2' })
    expect((await ask('/users/1/issues/3', 'DELETE')).status).toBe(404)
  })

  it('by the usual key, as soon as a row has it', async () => {
    api = await openWith(ONE)
    for (let again = 0; again < 2; again++) expect((await ask('/users/2/issues')).body).toEqual([ISSUES[1]])
    expect((await ask('/users/2/issues/2')).status).toBe(200)
    await ask('/issues', 'POST', { userId: 2 })
    const [own] = [{ id: 3, userId: 2 }]
    expect((await ask('/users/2/issues')).body).toEqual([own])
    expect((await ask('/users/2/issues/2')).status).toBe(404)
    expect((await ask('/users/2?_embed=issues')).body.issues).toEqual([own])
    await ask('/issues/3', 'DELETE')
    expect((await ask('/users/2/issues')).body).toEqual([ISSUES[1]])
  })

  it('of several, none, and a response says so', async () => {
    api = await openWith(SEVERAL)
    expect((await ask('/users/1/issues')).body).toEqual([])
    expect((await ask('/users/1/issues/1')).status).toBe(404)
    const strict = await ask('/users/1?_embed=issues&_strict=true')
    expect([strict.status, strict.body.message]).toEqual([400, expect.stringContaining('issues')])
  })

  it('by a list of ids that the settings name', async () => {
    const rows = [{ id: 1, watcherIds: [1, 2] }]
    api = await openWith({ issues: { references: { watcherIds: USERS } } }, rows)
    expect((await ask('/users/2?_embed=issues')).body.issues).toEqual(rows)
  })

  it('OpenAPI and types have the paths and relations that there are', async () => {
    api = await openWith(ONE)
    const { paths } = (await ask('/__openapi')).body
    expect(paths['/users/{id}/issues'].get).toBeDefined()
    expect(await (await describeApi({ data: data(), resources: ONE })).types()).toContain('issues?: ')
    const several = await describeApi({ data: data(), resources: SEVERAL })
    expect(Object.keys((await several.openapi()).paths)).not.toContain('/users/{id}/issues')
    expect(await several.types()).not.toContain('issues?: ')
  })
})

it.each([
  [{ id: 1, assigneeId: 1 }, 'assigneeId'],
  [{ id: 1, staffId: 1 }, 'staffId'],
])('a client that may create but not read goes by the same key: beside %j, by %s', async (issue, key) => {
  api = await open({
    data: { staff: [{ id: 1 }], users: [], issues: [issue] },
    live: false,
    middlewares: ['accounts'],
    resources: {
      staff: { access: { read: 'anyone' } },
      issues: {
        access: { read: 'nobody', create: 'anyone' },
        references: { assigneeId: { resource: 'staff' } },
      },
    },
  })
  const created = await ask('/staff/1/issues', 'POST', { title: 'New' })
  expect(created).toMatchObject({ status: 201, body: { title: 'New', [key]: '1' } })
})
