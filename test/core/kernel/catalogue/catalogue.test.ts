import { describe, expect, it } from 'vitest'
import { OPERATOR_NAMES, OPERATORS } from '../../../../src/core/kernel/catalogue/operators.ts'
import { PARAMETER_NAMES, PARAMETERS } from '../../../../src/core/kernel/catalogue/parameters.ts'
import { operatorsFor } from '../../../../src/page/client/operators.ts'
import { pageAt } from '../../../support/page/pages.ts'

const docs = ['queries', 'writing', 'failures', 'json-server']
  .map((name) => pageAt(`docs/${name}.md`).text)
  .join('\n')

// That OpenAPI has them all is a matter of test/features/describe/openapi/nothing-forgotten.test.ts.
describe('operators', () => {
  it.each(OPERATOR_NAMES)('%s is in the docs', (name) => {
    expect(docs).toContain(`\`field_${name}\``)
  })

  it.each(OPERATOR_NAMES)('%s is on the page for a field that it fits', (name) => {
    const { fits, onLists } = OPERATORS[name]
    const suffix = name === 'eq' ? '' : `_${name}`
    for (const kind of fits) {
      if (kind !== 'boolean') expect(operatorsFor(kind, '')).toContain(suffix)
    }
    expect(operatorsFor('list', '_eq').includes(suffix as '')).toBe(onLists !== undefined)
  })

  it('share no alias', () => {
    const words = OPERATOR_NAMES.flatMap((name) => [name, ...(OPERATORS[name].aliases ?? [])])
    expect(new Set(words).size).toBe(words.length)
  })
})

describe('parameters', () => {
  const forPeople = PARAMETER_NAMES.filter((name) => PARAMETERS[name].means !== undefined)

  it.each(forPeople)('%s is in the docs', (name) => {
    expect(docs).toMatch(new RegExp(`\\b${name}\\b`))
  })

  it('share no alias', () => {
    const words = PARAMETER_NAMES.flatMap((name) => [name, ...(PARAMETERS[name].aliases ?? [])])
    expect(new Set(words).size).toBe(words.length)
  })
})
