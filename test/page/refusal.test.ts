import { expect, it } from 'vitest'
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
  const access = {
    read,
    create: [],
    update: [],
    delete: [],
    owner: 'userId',
    withoutLogin: [],
    isDeclared: true,
  }
  expect(mayRead(access, role === undefined ? undefined : { role })).toBe(expected)
})
