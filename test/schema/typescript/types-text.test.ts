import { describe, expect, it } from 'vitest'
import { typeText } from '../../../src/schema/typescript/type-text.ts'
import { typesText } from '../../../src/schema/typescript/types-text.ts'
import { modelOf } from '../../support/describable.ts'

describe('the TypeScript type of a schema', () => {
  const nameOf = (ref: string) => (ref === '#/$defs/Tag' ? 'Tag' : undefined)

  it.each<[string, unknown, string]>([
    ['nothing said', {}, 'unknown'],
    ['anything', true, 'unknown'],
    ['nothing allowed', false, 'never'],
    ['an integer', { type: 'integer' }, 'number'],
    ['kinds', { type: ['string', 'null'] }, 'string | null'],
    ['two kinds of numbers', { type: ['integer', 'number'] }, 'number'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
    ['a list of kinds', { type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    ['a list of nobody knows what', { type: 'array' }, 'unknown[]'],
    ['choices', { enum: ['a', "it's", 1, null] }, `"a" | "it's" | 1 | null`],
    ['one value', { const: 'a' }, '"a"'],
    ['a reference', { $ref: '#/$defs/Tag' }, 'Tag'],
    ['a reference to nowhere', { $ref: 'other.json' }, 'unknown'],
    ['any of', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string | number'],
    ['one of', { oneOf: [{ type: 'string' }, { $ref: '#/$defs/Tag' }] }, 'string | Tag'],
    [
      'all of',
      { allOf: [{ $ref: '#/$defs/Tag' }, { type: ['object', 'null'] }] },
      'Tag & (Record<string, unknown> | null)',
    ],
    [
      'an object',
      { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
      '{\n  a: string\n  "b-c"?: unknown\n}',
    ],
    ['fields without a type', { properties: { a: {} } }, '{\n  a?: unknown\n}'],
    ['an object with no fields', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
    ['a dictionary', { type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
    ['something that is no schema', 'string', 'unknown'],
  ])('of %s', (_, schema, text) => {
    expect(typeText(schema, nameOf)).toBe(text)
  })
})

describe('the types of a database', () => {
  const data = {
    companies: [{ id: 1, name: 'Acme', open: null }],
    products: [
      { id: 1, price: 1.5, company_id: 1 },
      { id: 2, price: 2 },
    ],
    profile: { name: 'Ada' },
  }

  it('are rows, new rows, names and paths', async () => {
    expect(typesText(await modelOf(data), { source: 'db.json' })).toMatchInlineSnapshot(`
      "// Made by \`restable types\` from db.json. Changes to this file are lost when it is made again.

      /** One of /companies */
      export interface Company {
        id: number
        name: string
        open: unknown
      }

      /** To be sent; the server adds what is missing */
      export interface NewCompany {
        id?: number
        name: string
        open: unknown
      }

      /** One of /products */
      export interface Product {
        id: number
        price: number
        /** The id of one of companies */
        company_id?: number
      }

      /** To be sent; the server adds what is missing */
      export interface NewProduct {
        id?: number
        price: number
        /** The id of one of companies */
        company_id?: number
      }

      /** The object at /profile */
      export interface Profile {
        name: string
      }

      /** To be sent */
      export interface NewProfile {
        name: string
      }

      /** What is behind each name. */
      export interface Resources {
        companies: Company[]
        products: Product[]
        profile: Profile
      }

      /** What each path takes (\`body\`) and gives (\`data\`), method by method. */
      export interface Paths {
        "/companies": {
          GET: { data: Company[] }
          POST: { body: NewCompany; data: Company }
        }
        "/companies/{id}": {
          GET: { data: Company }
          PUT: { body: NewCompany; data: Company }
          PATCH: { body: Partial<NewCompany>; data: Company }
          DELETE: { data: Record<string, never> }
        }
        "/companies/{id}/products": {
          GET: { data: Product[] }
          POST: { body: Omit<NewProduct, "company_id">; data: Product }
        }
        "/products": {
          GET: { data: Product[] }
          POST: { body: NewProduct; data: Product }
        }
        "/products/{id}": {
          GET: { data: Product }
          PUT: { body: NewProduct; data: Product }
          PATCH: { body: Partial<NewProduct>; data: Product }
          DELETE: { data: Record<string, never> }
        }
        "/profile": {
          GET: { data: Profile }
          POST: { body: NewProfile; data: Profile }
          PUT: { body: NewProfile; data: Profile }
          PATCH: { body: Partial<NewProfile>; data: Profile }
        }
      }
      "
    `)
  })

  it('have nothing to send where nothing can be written', async () => {
    const text = typesText(await modelOf(data), { readOnly: true })
    expect(text).not.toMatch(/New|POST|PUT|PATCH|DELETE/)
    expect(text).toContain('GET: { data: Product[] }')
  })

  it('cannot be broken out of, whatever things are called', async () => {
    const text = typesText(
      await modelOf({ '*/ export const x = 1 /*': [{ id: 1, '*/': 1, '"': 2, '\n': 3 }] }),
      {
        source: '*/\nevil()',
      },
    )
    expect(text.split('\n')[0]).toBe(
      '// Made by `restable types` from *\\/ evil(). Changes to this file are lost when it is made again.',
    )
    expect(text).toContain('/** One of /*\\/ export const x = 1 /* */')
  })
})
