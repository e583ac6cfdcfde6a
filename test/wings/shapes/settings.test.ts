import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { parseSettings, resolveConfig } from '../../../src/features/settings.ts'
import { router } from '../../../src/index.ts'

const LIST = { list: { data: '$rows' } }

it.each(['via:', 'via: ticketId', 'through:x'])('the rule %j gets a remedy that is about rules', (read) => {
  const settings = { resources: { posts: { access: { read } } } }
  expect(() => parseSettings(settings)).toThrow(
    `or "via:" and a foreign key, not the string "${read}". Correct or remove it.`,
  )
})

describe('a mistake in a shape gets one line: key, remedy', () => {
  it.each<[object, string]>([
    [{ shape: 'larvel' }, '"shape": there is no preset "larvel". Did you mean "laravel"?'],
    [{ shape: 'rails' }, '"shape": there is no preset "rails". Known are laravel, spring, drf, '],
    [{ shape: { lists: '$rows' } }, '"shape": a shape has no "lists". Did you mean "list"?'],
    [{ shape: { list: { data: '$row' } } }, '"shape.list": "$row" means nothing here. Did you mean "$rows"?'],
    [
      { shape: { list: { data: '$rows', n: '$totl' } } },
      '"shape.list": there is no word "$totl". Did you mean "$total"?',
    ],
    [
      { shape: { list: { n: '$total' } } },
      '"shape.list": "$rows" is missing. Write, for example, { "data": "$rows" }.',
    ],
    [{ shape: { list: [{ rows: '$rows' }] } }, '"shape.list": "$rows" is missing.'],
    [{ shape: { list: { data: '$rows', all: ['$rows'] } } }, '"shape.list": "$rows" is there twice.'],
    [{ shape: { item: {} } }, '"shape.item": "$row" is missing.'],
    [{ shape: { row: { id: '$id' } } }, '"shape.row": "$fields" is missing.'],
    [{ shape: { error: { at: '$path', who: '{$usr}' } } }, '"shape.error": there is no word "$usr".'],
    [
      { shape: { ...LIST, keys: 'Camel' } },
      '"shape.keys" must be one of "camel", "snake", "kebab", "pascal"',
    ],
    [
      { shape: { ...LIST, params: { page: 2 } } },
      '"shape.params.page" must be the name of a parameter, not 2.',
    ],
    [
      { shape: { ...LIST, pages: { from: 2 } } },
      '"shape.pages.from" must be the number of the first page, 0 or 1, not 2. Correct or remove it.',
    ],
    [
      { shape: { ...LIST, pages: { size: 0 } } },
      '"shape.pages.size" must be a number of rows, 1 or more, not 0.',
    ],
    [
      { shape: 3 },
      '"shape" must be the name of a preset, or an object with list, item, error, keys and params',
    ],
    [
      { shape: { status: 'preset' } },
      '"shape.status": there is no preset to take them from. Name it as "preset", or write an object.',
    ],
    [{ shape: { preset: 'dfr' } }, '"shape.preset": there is no preset "dfr". Did you mean "drf"?'],
    [
      { shape: { status: { create: 404 } } },
      '"shape.status.create" must be a status from 200 to 299, not 404. Correct or remove it.',
    ],
    [
      { resources: { orders: { shape: { status: { missing: 500 } } } } },
      '"resources.orders.shape.status.missing" must be a status from 400 to 499, not 500.',
    ],
    [{ shape: { status: { gone: 410 } } }, '"shape.status'],
    [{ shape: { status: 'own' } }, '"shape.status" must be "preset", or an object of statuses'],
    [{ shape: 'drf', wrap: 'data' }, '"wrap" is one kind of "shape". Keep one of them.'],
    [
      { resources: { orders: { shape: 'jsonap' } } },
      '"resources.orders.shape": there is no preset "jsonap". Did you mean "jsonapi"?',
    ],
  ])('%j', (settings, fault) => {
    for (const read of [parseSettings, resolveConfig]) {
      expect(() => read(settings)).toThrow(ConfigError)
      expect(() => read(settings)).toThrow(fault)
    }
  })

  it('in a program, too', () => {
    expect(() => router({}, { shape: 'larvel' })).toThrow(
      '"shape": there is no preset "larvel". Known are laravel',
    )
  })
})
