import { expect, it } from 'vitest'
import { type Action, describeRule } from '../../../../src/core/engine/rules/rights.ts'

it.each<[string[], string, Action?]>([
  [['anyone'], 'Anyone'],
  [['nobody'], 'Nobody'],
  [['owner'], 'Only the owner'],
  [['signed-in'], 'Only logged-in users'],
  [['nobody', 'role:admin'], 'Only admins'],
  [['owner', 'role:admin'], 'Only the owner and admins'],
  [['owner', 'role:agency', 'role:admin'], 'Only the owner, agencies and admins'],
  [['via:ticketId'], 'Only users who can read the row that ticketId names'],
  [
    ['via:ticketId', 'owner'],
    'Only the owner and users who can update the row that ticketId names',
    'delete',
  ],
])('%s is described as: %s', (who, text, action = 'read') => {
  expect(describeRule(who, action)).toBe(text)
})
