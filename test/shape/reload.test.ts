import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/app/config/config.ts'
import { isSameApi } from '../../src/app/service/service-parts.ts'

it.each([
  [{ shape: 'laravel' }, { shape: 'laravel' }, true],
  [{ shape: 'laravel' }, { shape: 'drf' }, false],
  [{}, { wrap: 'data' }, false],
  [{ shape: { list: { n: '$total', d: '$rows' } } }, { shape: { list: { d: '$rows', n: '$total' } } }, false],
  [{ resources: { posts: { shape: 'drf' } } }, { resources: { posts: { ids: 'uuid' } } }, false],
])('a config that is read again has another router if it has another shape: %j, %j', (a, b, isSame) => {
  expect(isSameApi(resolveConfig(a), resolveConfig(b))).toBe(isSame)
})
