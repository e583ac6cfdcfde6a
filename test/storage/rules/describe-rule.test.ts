import { expect, it } from 'vitest'
import { describeRule } from '../../../src/storage/rules/describe-rule.ts'

it.each([
  [['anyone'], 'Anyone'],
  [['nobody'], 'Nobody'],
  [['owner'], 'Only the owner'],
  [['signed-in'], 'Only logged-in users'],
  [['nobody', 'role:admin'], 'Only admins'],
  [['owner', 'role:admin'], 'Only the owner and admins'],
  [['owner', 'role:agency', 'role:admin'], 'Only the owner, agencies and admins'],
])('%s is described as: %s', (who, text) => {
  expect(describeRule(who)).toBe(text)
})
