import { describe, expect, it } from 'vitest'
import {
  AccessControl,
  type AccessOptions,
  type AuthorizedUser,
} from '../../../src/config/resources/access.ts'
import { parseResources } from '../../../src/config/resources/resource-settings.ts'
import type { Catalog } from '../../../src/core/engine/engine.ts'
import { withFixedFields } from '../../../src/core/engine/rules/check-access.ts'
import { type Action, rightsIn } from '../../../src/core/engine/rules/rights.ts'

const NOBODY = undefined
const USER: AuthorizedUser = { id: 7, role: 'user' }
const ADMIN: AuthorizedUser = { id: 1, role: 'admin' }
const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete']

function accessOf(resources: unknown, more: Partial<AccessOptions> = {}): AccessControl {
  return new AccessControl({
    resources: parseResources(resources),
    naming: { id: 'id', foreignKeySuffix: '_id' },
    accounts: 'users',
    role: 'user',
    ...more,
  })
}

/** What a user may do with a resource, one word for each action. */
function reaches(access: AccessControl, user: AuthorizedUser | undefined, resource: string): string {
  const rights = rightsIn(access.accessFor(user), resource)
  return ACTIONS.map((action) => rights[action].reach.replace('some', 'own')).join(' ')
}

describe('what a resource says of access', () => {
  it.each<[string, unknown, nobody: string, user: string, admin: string]>([
    ['nothing', undefined, 'all none none none', 'all all all all', 'all all all all'],
    ['an object of nothing', {}, 'all none none none', 'all all all all', 'all all all all'],
    ['one rule', { update: 'owner' }, 'all none none none', 'all all own all', 'all all own all'],
    ['a role', { read: 'role:admin' }, 'none none none none', 'none all all all', 'all all all all'],
    [
      'any of several',
      { read: ['owner', 'role:admin'], delete: ['role:root', 'role:admin'] },
      'none none none none',
      'own all all none',
      'all all all all',
    ],
    [
      'nobody',
      { read: 'nobody', create: 'nobody' },
      'none none none none',
      'none none all all',
      'none none all all',
    ],
    ['an owner who creates', { create: 'owner' }, 'all none none none', 'all all all all', 'all all all all'],
    // The guards of json-server-auth.
    ['666', 666, 'all all all all', 'all all all all', 'all all all all'],
    ['664', 664, 'all none none none', 'all all all all', 'all all all all'],
    ['660', 660, 'none none none none', 'all all all all', 'all all all all'],
    ['644', 644, 'all none none none', 'all all own own', 'all all own own'],
    ['640', 640, 'none none none none', 'all all own own', 'all all own own'],
    ['640 as text', '640', 'none none none none', 'all all own own', 'all all own own'],
    ['600', 600, 'none none none none', 'own all own own', 'own all own own'],
    ['444', 444, 'all none none none', 'all none none none', 'all none none none'],
    ['440', 440, 'none none none none', 'all none none none', 'all none none none'],
    ['400', 400, 'none none none none', 'own none none none', 'own none none none'],
    ['anyone may write, nobody reads', '002', 'none all all all', 'none all all all', 'none all all all'],
    ['000', '000', 'none none none none', 'none none none none', 'none none none none'],
  ])('%s', (_, access, nobody, user, admin) => {
    const rules = accessOf({ posts: access === undefined ? {} : { access } })
    expect(reaches(rules, NOBODY, 'posts')).toBe(nobody)
    expect(reaches(rules, USER, 'posts')).toBe(user)
    expect(reaches(rules, ADMIN, 'posts')).toBe(admin)
  })

  it.each<[string, unknown, RegExp]>([
    ['a word that is none', { read: 'everybody' }, /"resources\.posts\.access.*" must be/],
    ['a role without a name', { read: 'role:' }, /must be/],
    ['an empty list', { read: [] }, /must be/],
    ['an action that is none', { write: 'anyone' }, /resources\.posts\.access/],
    ['a number with other digits', 750, /must be/],
    ['a number with four', 6400, /must be/],
    ['a text with other digits', '64', /must be/],
  ])('is refused: %s', (_, access, message) => {
    expect(() => parseResources({ posts: { access } })).toThrow(message)
  })

  it.each(['', 'a.b', 'a[0]', 3])('refuses an owner that is not the name of a field: %s', (owner) => {
    expect(() => parseResources({ posts: { owner } })).toThrow(
      'the name of a field, without dots and brackets',
    )
  })
})

describe('a resource that says nothing, and that is not named', () => {
  it('has the same rules, and nobody’s name is put into its rows', () => {
    const access = accessOf({ posts: { access: {} }, tags: {} })
    for (const name of ['tags', 'others', '__proto__', 'constructor']) {
      expect(reaches(access, NOBODY, name)).toBe('all none none none')
      expect(rightsIn(access.accessFor(USER), name).fixed).toEqual([])
    }
  })
})

describe('a foreign key in a rule', () => {
  const rule = (...who: string[]) => ({ access: { read: who } })
  const names = ['tickers', 'tickets', 'posts', 'as', 'bs', 'cs', 'ds', 'es', 'fs', 'gs']
  const catalog: Catalog = {
    naming: { id: 'id', foreignKeySuffix: '_id' },
    names: () => names,
    kindOf: (name) => (name === 'profile' ? 'object' : names.includes(name) ? 'collection' : undefined),
  }
  const check = (resources: unknown) => accessOf(resources).checkKeys(catalog)

  it.each<[string, object]>([
    ['by its name', { posts: rule('via:ticket_id') }],
    ['by a setting', { posts: { ...rule('via:about'), references: { about: { resource: 'tickets' } } } }],
    ['users, though there are none yet', { posts: rule('via:user_id') }],
    ['rows of its own collection, if there is another rule', { posts: rule('owner', 'via:post_id') }],
    ['each other, if there is another rule', { as: rule('via:b_id'), bs: rule('via:a_id', 'owner') }],
    ['what has a rule after five steps', chain('as', 'bs', 'cs', 'ds', 'es', 'fs')],
  ])('may name %s', (_, resources) => {
    expect(() => check(resources)).not.toThrow()
  })

  const NOWHERE = 'resources.posts.access.read: "via:'
  it.each<[string, object, string]>([
    [
      'no collection',
      { posts: rule('via:nope_id') },
      `${NOWHERE}nope_id" names no collection. Correct the name, add "nopes": [] to the data, or say in resources.posts.references.nope_id what it points at.`,
    ],
    [
      'nearly a collection',
      { posts: rule('via:tiket_id') },
      `${NOWHERE}tiket_id" names no collection. Did you mean "via:ticket_id"? If not, say in resources.posts.references.tiket_id what it points at.`,
    ],
    ['a single object', { posts: rule('via:profile_id') }, `${NOWHERE}profile_id" names no collection.`],
    [
      'nothing',
      { posts: rule('via:about') },
      `${NOWHERE}about" names no collection. Correct the name, or say in`,
    ],
    ['a list of ids', { posts: rule('via:ticket_ids') }, `${NOWHERE}ticket_ids" names no collection.`],
    [
      'rows of its own collection only',
      { posts: rule('via:post_id') },
      `${NOWHERE}" leads to no other rule within 5 steps, so it lets nobody in.`,
    ],
    [
      'each other only',
      { as: rule('via:b_id'), bs: rule('via:a_id') },
      'resources.as.access.read: "via:" leads to no other rule',
    ],
    [
      'what has a rule after six steps',
      chain('as', 'bs', 'cs', 'ds', 'es', 'fs', 'gs'),
      'resources.as.access.read: "via:" leads to no other rule',
    ],
  ])('is refused at the start if it names %s', (_, resources, message) => {
    expect(() => check(resources)).toThrow(message)
  })

  it.each(['via:', 'via:a.b', 'via:a[0]'])('is not %s', (who) => {
    expect(() => parseResources({ posts: rule(who) })).toThrow('"via:" and a foreign key')
  })

  function chain(...all: string[]): object {
    const next = (at: number) => all[at + 1]
    return Object.fromEntries(
      all.map((name, at) => [name, rule(next(at) ? `via:${next(at)?.slice(0, -1)}_id` : 'owner')]),
    )
  }

  it.each<[string, object, nobody: string, user: string, admin: string]>([
    ['what only its owner has', { tickets: rule('owner') }, 'none', 'own', 'own'],
    ['what a role has', { tickets: rule('role:admin') }, 'none', 'none', 'own'],
    ['what anyone has', {}, 'own', 'own', 'own'],
    ['what nobody has', { tickets: rule('nobody') }, 'none', 'none', 'none'],
  ])('gives access to %s', (_, tickets, nobody, user, admin) => {
    const access = accessOf({ ...tickets, posts: rule('via:ticket_id') })
    const read = (who: AuthorizedUser | undefined) => reaches(access, who, 'posts').split(' ')[0]
    expect([read(NOBODY), read(USER), read(ADMIN)]).toEqual([nobody, user, admin])
  })
})

describe('the owner of a row', () => {
  it.each<[string, unknown, AuthorizedUser | undefined, unknown]>([
    ['is filled in where access is said', { access: {} }, USER, { user_id: 7 }],
    ['is filled in where it is named', { owner: 'author' }, USER, { author: 7 }],
    ['keeps the type of its id', { owner: 'a' }, { id: 'u-1', role: 'user' }, { a: 'u-1' }],
    ['is nobody where nobody is logged in', { access: {} }, NOBODY, {}],
    ['is itself, and never filled in, if that is said', { access: {}, owner: 'id' }, USER, { id: 9 }],
  ])('%s', (_, settings, user, filled) => {
    const access = accessOf({ posts: settings }).accessFor(user)
    const { owner } = rightsIn(access, 'posts')
    expect(withFixedFields(access, 'posts', { [owner]: 9 })).toEqual(filled)
  })
})

it('users with the same role share their rights, and no role has those of another', () => {
  const access = accessOf({ posts: { access: { read: ['owner', 'role:admin'] } } })
  const [one, other] = [7, 8].map((id) => access.accessFor({ id, role: 'user' }))
  expect(one?.resources).toBe(other?.resources)
  expect([one?.user, other?.user, one?.key === other?.key]).toEqual(['7', '8', false])
  const read = (user: AuthorizedUser | undefined) => rightsIn(access.accessFor(user), 'posts').read.reach
  expect([USER, ADMIN, NOBODY, USER].map(read)).toEqual(['some', 'all', 'none', 'some'])
})

describe('the accounts', () => {
  it.each([
    ['users', {}],
    ['members', { accounts: 'members' }],
  ])('own themselves: %s', (name, more) => {
    const access = accessOf({}, more)
    expect(reaches(access, NOBODY, name)).toBe('none none none none')
    expect(reaches(access, USER, name)).toBe('all none own own')
    expect(rightsIn(access.accessFor(USER), name).owner).toBe('id')
  })

  it('keep the defaults that settings do not replace', () => {
    const access = accessOf({ users: { access: { read: 'owner', create: 'role:admin' } } })
    expect(reaches(access, USER, 'users')).toBe('own none own own')
    expect(reaches(access, ADMIN, 'users')).toBe('own all own own')
  })

  it('promote nobody but by an admin', () => {
    const access = accessOf({}, { role: 'guest' })
    expect(rightsIn(access.accessFor(USER), 'users').fixed).toEqual([{ field: 'role', value: 'guest' }])
    expect(rightsIn(access.accessFor(ADMIN), 'users').fixed).toEqual([])
  })
})

describe('a refusal', () => {
  it.each<[string, unknown, Action, AuthorizedUser | undefined, boolean]>([
    ['asks to log in where that may help', {}, 'create', NOBODY, true],
    ['does not where it cannot', { create: 'nobody' }, 'create', NOBODY, false],
    [
      'does where even reading is not for anyone',
      { read: 'owner', create: 'nobody' },
      'create',
      NOBODY,
      true,
    ],
    ['does as 440 of json-server-auth', 440, 'update', NOBODY, true],
    ['does not as its 444', 444, 'update', NOBODY, false],
    ['does not of those who are', { create: 'role:admin' }, 'create', USER, false],
  ])('%s', (_, rules, action, user, needsLogin) => {
    const access = accessOf({ posts: { access: rules } }).accessFor(user)
    expect(rightsIn(access, 'posts')[action]).toMatchObject({ reach: 'none', needsLogin })
  })
})

describe('the key of a view', () => {
  const keys = (resources: unknown, ...users: (AuthorizedUser | undefined)[]) => {
    const access = accessOf({ users: { access: { read: 'anyone' } }, ...Object(resources) })
    return new Set(users.map((user) => access.accessFor(user).key)).size
  }
  const OTHER: AuthorizedUser = { id: 8, role: 'user' }
  const TEXT: AuthorizedUser = { id: '7', role: 'user' }

  it.each<[string, unknown, number]>([
    ['is the same for all where all may read all', { posts: { access: { update: 'owner' } } }, 1],
    ['tells those who are logged in from nobody', { posts: { access: { read: 'signed-in' } } }, 2],
    ['tells admins from others', { posts: { access: { read: 'role:admin' } } }, 2],
    ['tells users apart who see rows of their own', { posts: { access: { read: 'owner' } } }, 4],
    [
      'does not where an admin sees all',
      { posts: { access: { read: ['owner', 'role:admin'] } }, tags: { access: { read: 'signed-in' } } },
      4,
    ],
  ])('%s', (_, resources, count) => {
    expect(keys(resources, NOBODY, USER, OTHER, ADMIN, TEXT)).toBe(count)
  })

  it('belongs to an access that is made once, and to one user and role', () => {
    const access = accessOf({})
    expect(access.accessFor(USER)).toBe(access.accessFor({ ...USER }))
    expect(access.accessFor(TEXT)).not.toBe(access.accessFor(USER))
    expect(access.accessFor({ id: 7, role: 'admin' })).toMatchObject({ isAdmin: true, user: '7' })
  })
})
