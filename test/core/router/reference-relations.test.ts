import express from 'express'
import { describe, expect, it } from 'vitest'
import { describeApi, open, router, start } from '../../../src/index.ts'
import { serving } from '../../support/http/serving.ts'

const ADA = { id: 1, name: 'Ada' }
const BOB = { id: 2, name: 'Bob', bossId: 1 }
const data = () => ({
  users: [ADA, BOB],
  issues: [
    { id: 1, assigneeId: 2, reviewerIds: [2, 1], userId: 1 },
    { id: 2, assigneeId: 1, reviewerIds: [] },
    { id: 3, assigneeId: null },
  ],
})
const resources = {
  users: { references: { bossId: { resource: 'users' } } },
  issues: { references: { assigneeId: { resource: 'users' }, reviewerIds: { resource: 'users' } } },
}

type Get = (path: string) => Promise<unknown>

const DOORS: readonly [string, () => Promise<Get>][] = [
  [
    'open()',
    async () => {
      const api = await open({ data: data(), resources })
      return async (path) => (await api.fetch(path)).json()
    },
  ],
  [
    'a session',
    async () => {
      const session = (await open({ data: data(), resources })).session('a')
      return async (path) => (await session.fetch(path)).json()
    },
  ],
  [
    'router()',
    async () => {
      const url = await serving(express().use(router(data(), { resources })))
      return async (path) => (await fetch(url + path)).json()
    },
  ],
]

describe.each(DOORS)('a relation named by a reference, in %s', (_, openDoor) => {
  it.each([
    ['_expand', '/issues/1?_expand=assignee&_fields=assignee', { assignee: BOB }],
    ['_embed', '/issues/1?_embed=assignee&_fields=assignee', { assignee: BOB }],
    ['of a list', '/issues/1?_embed=reviewers&_fields=reviewers', { reviewers: [BOB, ADA] }],
    ['to no row', '/issues/3?_expand=assignee&_fields=id,assignee', { id: 3 }],
    [
      'deeper, within its own collection',
      '/issues/1?_expand=assignee.boss&_fields=assignee',
      { assignee: { ...BOB, boss: ADA } },
    ],
    ['in a filter', '/issues?_expand=assignee&assignee.name=Ada&_fields=id&_omit=assignee', [{ id: 2 }]],
    [
      'in a sort',
      '/issues?_expand=assignee&assigneeId_null=false&_sort=assignee.name&_fields=id&_omit=assignee',
      [{ id: 2 }, { id: 1 }],
    ],
    ['beside the usual one', '/issues/1?_expand=user&_fields=user', { user: ADA }],
    ['and nested paths by the usual key', '/users/1/issues?_fields=id', [{ id: 1 }]],
  ])('%s', async (_, path, response) => {
    const get = await openDoor()
    expect(await get(path)).toEqual(response)
  })
})

it('comes before a collection of its name', async () => {
  const posts = [{ id: 1, authorId: 5 }]
  const api = await open({
    data: { posts, authors: [{ id: 5 }], author: [{ id: 5 }], users: [{ id: 5, name: 'Ada' }] },
    resources: { posts: { references: { authorId: { resource: 'users' } } } },
  })
  const { author } = Object(await (await api.fetch('/posts/1?_expand=author')).json())
  expect(author).toEqual({ id: 5, name: 'Ada' })
})

it('has a type, a place in the OpenAPI document, and no paths that are not served', async () => {
  const api = await describeApi({ data: data(), resources })
  const types = await api.types()
  expect(types).toMatch(/interface IssueRelations \{[^}]*assignee\?: User & UserRelations\n/)
  expect(types).toMatch(/reviewers\?: \(User & UserRelations\)\[\]/)
  expect(types).toMatch(/interface UserRelations \{\n {2}boss\?: /)
  // `bossId` is the only key to users that users have; issues have a `userId`.
  expect(types).toContain('"/users/{id}/users"')
  expect(types.match(/"\/users\/\{id\}\/issues"/g)).toHaveLength(1)
  const { paths } = await api.openapi()
  const { schema } = Object(paths['/issues/{id}']).get.responses[200].content['application/json']
  expect(JSON.stringify(schema)).toContain('"assignee"')
})

it('keeps to what the client may read', async () => {
  const api = await open({
    data: { users: [], staff: [ADA], issues: [{ id: 1, assigneeId: 1 }] },
    middlewares: ['accounts'],
    resources: {
      staff: { access: { read: 'signed-in' } },
      issues: { access: { read: 'anyone' }, references: { assigneeId: { resource: 'staff' } } },
    },
  })
  const response = await api.fetch('/issues?_expand=assignee')
  expect(await response.text()).not.toContain('Ada')
})

it('asks for a key where a public path attaches rows that are not public', async () => {
  const api = await open({
    data: { staff: [ADA], products: [{ id: 1, assigneeId: 1 }] },
    middlewares: ['api-key'],
    routes: { '/public/*': '/$1' },
    resources: { products: { references: { assigneeId: { resource: 'staff' } } } },
  })
  expect((await api.fetch('/public/products')).status).toBe(200)
  expect((await api.fetch('/public/products?_expand=assignee')).status).toBe(401)
})

it('needs the suffix, which the start says', async () => {
  const lines: string[] = []
  const lead = { lead: { resource: 'users' } }
  const server = await start({
    data: { users: [ADA], teams: [{ id: 1, lead: 1 }] },
    resources: { teams: { references: lead } },
    print: (line) => lines.push(line),
  })
  await server.close()
  expect(lines.join('\n')).toContain(
    'resources.teams.references.lead: it does not end in Id, so _expand and _embed have no name for it. ' +
      'Call the field leadId to use it there.',
  )
})
