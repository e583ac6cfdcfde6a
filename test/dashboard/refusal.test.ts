import { expect, it } from 'vitest'
import { ruleOfRefusal } from '../../src/dashboard/sign-in/refusal.ts'

it.each([
  ['products: update is for role:admin.', { resource: 'products', action: 'update' }],
  ['orders: read is for owner or role:admin. Log in.', { resource: 'orders', action: 'read' }],
  ['a: b: delete is for nobody.', { resource: 'a: b', action: 'delete' }],
  ['/__undo is for role:admin.', undefined],
  ['products: publish is for role:admin.', undefined],
  ['The token has expired. Get another with POST /refresh.', undefined],
])('finds in "%s" the rule %j', (message, rule) => {
  expect(ruleOfRefusal(message)).toEqual(rule)
})
