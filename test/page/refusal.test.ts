import { expect, it } from 'vitest'
import type { ResourceInfo } from '../../src/core/kernel/catalogue/service-info.ts'
import { mayRead, ruleOfRefusal } from '../../src/page/client/refusal.ts'

it.each([
  ['Only admins can update products.', { resource: 'products', action: 'update' }],
  ['Only the owner and admins can read orders. Log in first.', { resource: 'orders', action: 'read' }],
  ['Nobody can delete a.b.', { resource: 'a.b', action: 'delete' }],
  [
    'Only users who can update the row that ticketId names can create comments.',
    { resource: 'comments', action: 'create' },
  ],
  ['Only admins can use /__undo.', undefined],
  ['Only admins can publish products.', undefined],
  ['The token has expired. Get another with POST /refresh.', undefined],
])('finds in "%s" the rule %j', (message, rule) => {
  expect(ruleOfRefusal(message)).toEqual(rule)
})

it.each([
  [['anyone'], undefined, true],
  [['signed-in'], undefined, false],
  [['signed-in'], 'user', true],
  [['owner', 'role:admin'], undefined, false],
  [['owner', 'role:admin'], 'user', true],
  [['role:admin'], 'user', false],
  [['role:admin'], 'admin', true],
  [['via:ticketId', 'role:admin'], undefined, true],
  [['nobody'], 'admin', false],
])('what %j may read can be read by %s: %s', (read, role, expected) => {
  expect(mayRead(ruled('comments', read), [], role === undefined ? undefined : { role })).toBe(expected)
})

function ruled(name: string, read: readonly string[], parent?: string): ResourceInfo {
  const rest = { create: [], update: [], delete: [], owner: 'userId', withoutLogin: [], isDeclared: true }
  const relations = parent === undefined ? [] : [{ field: 'parentId', resource: parent, expand: 'parent' }]
  return { name, kind: 'collection', count: 0, relations, access: { read, ...rest } }
}

it.each([
  [['role:admin'], 'user', false],
  [['role:admin'], 'admin', true],
  [['owner'], undefined, false],
  [['owner'], 'user', true],
  [['anyone'], undefined, true],
  [['via:parentId'], 'user', false],
])('via a parent of a parent that %j may read: %s: %s', (read, role, expected) => {
  const all = [
    ruled('teams', read, 'teams'),
    ruled('projects', ['via:parentId'], 'teams'),
    ruled('issues', ['via:parentId'], 'projects'),
  ]
  const user = role === undefined ? undefined : { role }
  expect(all.slice(1).map((one) => mayRead(one, all, user))).toEqual([expected, expected])
})
