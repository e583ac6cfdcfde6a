import { expect, it } from 'vitest'
import { configJsonSchema } from '../../scripts/build/config-json-schema.ts'
import { SETTINGS } from '../../src/features/settings.ts'

const { properties = {} } = configJsonSchema()

it('knows every setting, and explains it', () => {
  for (const key of Object.keys(SETTINGS.schema.shape)) {
    expect(properties[key]).toHaveProperty('description')
  }
})

it('knows both spellings of a key, nested ones too', () => {
  expect(properties).toHaveProperty('no-cors', { $ref: '#/properties/noCors' })
  expect(properties).toHaveProperty('rateLimit.properties.window-ms')
})

it('has no links of the docs', () => {
  expect(JSON.stringify(properties)).not.toMatch(/\]\(/)
})
