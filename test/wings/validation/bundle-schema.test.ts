import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inlined } from '../../../src/wings/schemas/inlined.ts'
import { bundleSchema, schemaFiles } from '../../../src/wings/validation/bundle-schema.ts'
import { openSchema } from '../../../src/wings/validation/open-schema.ts'
import { folderOf } from '../../support/folder.ts'

let folder: string
beforeEach(() => {
  folder = folderOf()
})

function write(files: Readonly<Record<string, unknown>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return join(folder, 'user.json')
}

const faultsIn = (file: string, row: Record<string, unknown>) =>
  openSchema(bundleSchema(file, 'schema'), file, []).rows.faultsOf(row)

const CITY = { $id: 'https://example.com/city', type: 'string', minLength: 1 }

describe('a schema in several files', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a file beside it', { 'user.json': home('city.json'), 'city.json': CITY }],
    ['a file elsewhere', { 'user.json': home('../shared/./city.json'), '../shared/city.json': CITY }],
    [
      'a part of a file',
      { 'user.json': home('all.json#/$defs/city'), 'all.json': { $defs: { city: CITY } } },
    ],
    [
      'a part of a file that refers to another part of it',
      {
        'user.json': home('all.json#/definitions/town'),
        'all.json': { definitions: { town: { $ref: '#/definitions/city' }, city: CITY } },
      },
    ],
    [
      'a file that refers to a third',
      {
        'user.json': home('parts/town.json#'),
        'parts/town.json': { $ref: 'city.json' },
        'parts/city.json': CITY,
        'city.json': true,
      },
    ],
    [
      'two files of one name, and a part of its own that is called like a file',
      {
        'user.json': {
          properties: {
            a: { $ref: 'a/city.json' },
            b: { $ref: 'a-city.json' },
            home: { $ref: '#/$defs/a-city.json' },
          },
          $defs: { 'a-city.json': CITY },
        },
        'a/city.json': { type: 'number' },
        'a-city.json': { type: 'boolean' },
      },
    ],
    [
      'a file that refers back',
      {
        'user.json': { properties: { home: { $ref: 'city.json' }, boss: { $ref: '#' } } },
        'city.json': { ...CITY, $defs: { mayor: { $ref: 'user.json' } } },
      },
    ],
    [
      'draft 7',
      {
        'user.json': { $schema: 'http://json-schema.org/draft-07/schema#', ...home('city.json') },
        'city.json': { $schema: 'http://json-schema.org/draft-07/schema#', ...CITY },
      },
    ],
  ])('may refer to %s', (_, files) => {
    // One level down, so that there is an elsewhere.
    folder = join(folder, 'schemas')
    const file = write(files)
    folder = dirname(folder)
    expect(faultsIn(file, { home: '' })).toEqual([{ path: 'home', message: 'must not be empty' }])
    expect(faultsIn(file, { home: 'Rome' })).toEqual([])
    expect(inlined(Object(bundleSchema(file, 'schema')))).toMatchObject({
      properties: { home: { minLength: 1 } },
    })
  })

  it('has defaults and fields of the server in them, and names that only look like references', () => {
    const file = write({
      'user.json': {
        properties: { $ref: { $ref: 'city.json' }, at: { $ref: 'at.json' } },
        default: { $ref: 'nowhere.json' },
      },
      'city.json': { default: 'Rome' },
      'at.json': { readOnly: true },
    })
    const { rows } = openSchema(bundleSchema(file, 'schema'), file, [])
    expect([rows.fillIn({}), rows.keepReadOnly({ at: 1 })]).toEqual([{ $ref: 'Rome' }, {}])
  })

  it('that needs no other file stays as it is written', () => {
    const schema = {
      $id: 'https://example.com/user',
      $ref: '#/$defs/a',
      $defs: { a: { $id: 'b.json' }, c: { $ref: 'b.json' } },
    }
    expect(bundleSchema(write({ 'user.json': schema }), 'schema')).toEqual(schema)
    expect(faultsIn(join(folder, 'user.json'), {})).toEqual([])
  })

  it.each<[string, Record<string, unknown>, string]>([
    [
      'missing',
      { 'user.json': home('a/city.json') },
      'user.json: "$ref" leads nowhere: there is no file a/city.json. Correct the path.',
    ],
    ['broken', { 'user.json': home('city.json'), 'city.json': '{ "type" }' }, 'city.json: '],
    [
      'on the web',
      { 'user.json': home('https://example.com/x.json') },
      'user.json: "$ref" leads nowhere: https://example.com/x.json is not in this schema. Copy it into $defs.',
    ],
    [
      'without that part',
      { 'user.json': home('city.json#/x'), 'city.json': {} },
      'user.json: at /properties/home, "$ref" leads nowhere: there is no #/$defs/city.json/x.',
    ],
    [
      'with a mistake',
      { 'user.json': home('city.json'), 'city.json': { typ: 1 } },
      'user.json: at /$defs/city.json, there is no keyword "typ".',
    ],
  ])('is refused in one line if another file is %s', (_, files, message) => {
    const file = write(files)
    const open = () => openSchema(bundleSchema(file, 'schema'), file, [])
    expect(open).toThrow(/^[^\n]*$/)
    try {
      open()
    } catch (error) {
      expect(Object(error).message.replaceAll(`${folder}/`, '')).toContain(message)
    }
    expect(schemaFiles(file).map((one) => relative(folder, one))).toContain('user.json')
  })

  it('is made of all its files, and of one that cannot be read', () => {
    const file = write({
      'user.json': home('city.json'),
      'city.json': { $ref: 'town.json' },
      'town.json': '{',
    })
    expect(schemaFiles(file).map((one) => relative(folder, one))).toEqual([
      'user.json',
      'city.json',
      'town.json',
    ])
  })
})

function home(ref: string): object {
  return { properties: { home: { $ref: ref } } }
}
