import pluralize from 'pluralize'
import { expect, it, vi } from 'vitest'
import { pluralOf, singularOf } from '../../../../src/core/engine/relations/relations.ts'

vi.mock('pluralize', async (load) => {
  const { default: real } = await load<{ default: typeof pluralize }>()
  return { default: Object.assign(vi.fn(real), { singular: vi.fn(real.singular) }) }
})

it.each([
  ['pluralOf', pluralOf, pluralize, 'company', 'companies'],
  ['pluralOf', pluralOf, pluralize, 'constructor', 'constructors'],
  ['singularOf', singularOf, pluralize.singular, 'people', 'person'],
  ['singularOf', singularOf, pluralize.singular, '__proto__', '__proto__'],
] as const)('%s looks each word up once', (_, formOf, lookUp, word, form) => {
  vi.mocked(lookUp).mockClear()
  expect([formOf(word), formOf(word), formOf(word)]).toEqual([form, form, form])
  expect(lookUp).toHaveBeenCalledTimes(1)
})
