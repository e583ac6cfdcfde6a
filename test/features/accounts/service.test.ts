import { expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { BOB, members } from '../../support/http/members.ts'
import { serve } from '../../support/http/serve.ts'

const users = [
  { id: 1, email: 'ada@example.com', password: 'lovelace', role: 'admin' },
  { id: 2, username: 'alan', password: 'bletchley' },
  { id: 3, name: 'without a login' },
]

async function serviceOf(options: StartOptions) {
  const data = structuredClone({ users, notes: [{ id: 1, user_id: 1 }] })
  const { url } = await serve({ data, foreignKeySuffix: '_id', middlewares: ['accounts'], ...options })
  const text = await (await fetch(`${url}/__service`)).text()
  return { text, info: JSON.parse(text) }
}

it('tells whom to act as only where that needs no password, and never one', async () => {
  const { info, text } = await serviceOf({ accounts: { persona: true, secret: 'do not tell' } })
  expect(info.personas).toEqual([
    { email: 'ada@example.com', role: 'admin' },
    { email: 'alan', role: 'user' },
  ])
  expect(text).not.toMatch(/lovelace|bletchley|do not tell/)
  expect((await serviceOf({})).text).not.toMatch(/ada@example.com|personas/)
})

it('tells admins alone how large the file is, and when it was saved', async () => {
  const { ask, login } = await members()
  const [ada, bob] = [await login(), await login(BOB.email, BOB.password)]
  const seenBy = async (headers = {}) => (await ask('GET', '/__service', undefined, headers)).body.data
  expect(await seenBy()).toEqual({ file: 'db.json' })
  expect(await seenBy(bob.headers)).toEqual({ file: 'db.json' })
  expect(await seenBy(ada.headers)).toEqual({
    file: 'db.json',
    savedAt: expect.stringMatching(/^\d{4}-/),
    size: expect.any(Number),
  })
})

it('tells who may do what with each resource, with the defaults', async () => {
  const { info } = await serviceOf({ resources: { notes: { access: 640, owner: 'author_id' } } })
  const [ofUsers, ofNotes] = info.resources.map(({ access }: { access: object }) => access)
  expect(ofNotes).toEqual({
    read: ['signed-in'],
    create: ['owner'],
    update: ['owner'],
    delete: ['owner'],
    owner: 'author_id',
    withoutLogin: [],
    isDeclared: true,
  })
  expect(ofUsers).toMatchObject({ read: ['signed-in'], create: ['nobody'], owner: 'id', isDeclared: false })
})

it('says nothing of it where there are no accounts', async () => {
  const { info } = await serviceOf({ middlewares: [] })
  expect(info.resources[0]).not.toHaveProperty('access')
})
