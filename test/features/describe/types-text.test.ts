import { describe, expect, it } from 'vitest'
import { typeText } from '../../../src/features/describe/type-of-schema.ts'
import { typesText } from '../../../src/features/describe/types-text.ts'
import { modelOf } from '../../support/describable.ts'

describe('the TypeScript type of a schema', () => {
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
    [
      'a dictionary with some fields',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        additionalProperties: { type: 'integer' },
      },
      '{\n  a: string\n  [field: string]: number | string\n}',
    ],
    [
      'fields by pattern',
      { type: 'object', patternProperties: { '^x': { type: 'string' }, '^y': { type: 'integer' } } },
      'Record<string, string | number>',
    ],
    [
      'fields by pattern, beside others',
      {
        type: 'object',
        properties: { a: { type: 'boolean' } },
        patternProperties: { '^x': { type: 'string' } },
      },
      '{\n  a?: boolean\n  [field: string]: string | boolean | undefined\n}',
    ],
    [
      'nothing but fields by pattern',
      { type: 'object', patternProperties: { x: {} }, additionalProperties: false },
      'Record<string, unknown>',
    ],
    [
      'a tuple',
      {
        type: 'array',
        prefixItems: [{ type: 'number' }, { type: ['string', 'null'] }],
        items: false,
        minItems: 2,
      },
      '[number, string | null]',
    ],
    [
      'a tuple of which not all need be there',
      {
        type: 'array',
        prefixItems: [{ type: 'number' }, { type: ['string', 'null'] }],
        items: false,
        minItems: 1,
      },
      '[number, (string | null)?]',
    ],
    [
      'a tuple that goes on',
      { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'string' }, minItems: 1 },
      '[number, ...string[]]',
    ],
    [
      'a tuple that goes on with anything',
      { type: 'array', prefixItems: [{ type: 'number' }] },
      '[number?, ...unknown[]]',
    ],
    [
      'a tuple that is not to go on',
      { type: 'array', prefixItems: [{}, {}], minItems: 2, maxItems: 2 },
      '[unknown, unknown]',
    ],
    [
      'one of several forms, with a field of all',
      {
        type: 'object',
        properties: { id: { type: 'integer' } },
        required: ['id', 'kind'],
        oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }],
      },
      '{\n  id: number\n} & ({\n  kind: "a"\n} | {\n  kind: "b"\n})',
    ],
    [
      'forms that only ask for fields',
      { type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }, {}] },
      '{\n  a?: unknown\n}',
    ],
    [
      'a reference with more beside it',
      { $ref: '#/$defs/Tag', properties: { a: {} } },
      'Tag & {\n  a?: unknown\n}',
    ],
    ['something that is no schema', 'string', 'unknown'],
  ])('of %s', (_, schema, text) => {
    expect(typeText(schema)).toBe(text)
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
      "// Generated by \`restable types\` from db.json. Do not edit: changes are overwritten.

      /** One of /companies */
      export interface Company {
        id: number
        name: string
        open: unknown
      }

      /** What \`_embed\` and \`_expand\` add to a Company */
      export interface CompanyRelations {
        products?: (Product & ProductRelations)[]
      }

      /** Creates one; the server generates the id if it is missing */
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

      /** What \`_embed\` and \`_expand\` add to a Product */
      export interface ProductRelations {
        company?: Company & CompanyRelations
      }

      /** Creates one; the server generates the id if it is missing */
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

      /** Replaces it */
      export interface NewProfile {
        name: string
      }

      /** All resources by name. */
      export interface Resources {
        companies: Company[]
        products: Product[]
        profile: Profile
      }

      /** For \`define<Api>\` of restable. */
      export interface Api {
        companies: { row: Company; new: NewCompany; kind: 'collection' }
        products: { row: Product; new: NewProduct; kind: 'collection' }
        profile: { row: Profile; new: NewProfile; kind: 'object' }
      }

      /** Request \`body\` and response \`data\` of each path and method. Longer paths are served, but not listed. */
      export interface Paths {
        "/companies": {
          GET: { data: (Company & CompanyRelations)[] }
          POST: { body: NewCompany; data: Company }
          PATCH: { body: Partial<NewCompany>; data: Company[] }
          DELETE: { data: Record<string, never> }
        }
        "/companies/{id}": {
          GET: { data: Company & CompanyRelations }
          PUT: { body: NewCompany; data: Company }
          PATCH: { body: Partial<NewCompany>; data: Company }
          DELETE: { data: Record<string, never> }
        }
        "/companies/{id}/products": {
          GET: { data: (Product & ProductRelations)[] }
          POST: { body: Omit<NewProduct, "company_id">; data: Omit<Product, "company_id"> & { company_id: string } }
          PATCH: { body: Partial<Omit<NewProduct, "company_id">>; data: Product[] }
          DELETE: { data: Record<string, never> }
        }
        "/companies/{id}/products/{childId}": {
          GET: { data: Product & ProductRelations }
          PUT: { body: Omit<NewProduct, "company_id">; data: Product }
          PATCH: { body: Partial<Omit<NewProduct, "company_id">>; data: Product }
          DELETE: { data: Record<string, never> }
        }
        "/products": {
          GET: { data: (Product & ProductRelations)[] }
          POST: { body: NewProduct; data: Product }
          PATCH: { body: Partial<NewProduct>; data: Product[] }
          DELETE: { data: Record<string, never> }
        }
        "/products/{id}": {
          GET: { data: Product & ProductRelations }
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

  it('tell what relations add, those of relations and of lists of ids too', async () => {
    const posts = [{ id: 1, tag_ids: [1], user_id: 1, comments: 3 }]
    const comments = [{ id: 1, post_id: 1 }]
    const text = typesText(await modelOf({ posts, tags: [{ id: 1 }], users: [{ id: 1 }], comments }))
    expect(text).toContain(`export interface PostRelations {
  tags?: (Tag & TagRelations)[]
  user?: User & UserRelations
}`)
    expect(text).toContain('export interface TagRelations {\n  posts?: (Post & PostRelations)[]\n}')
    expect(text).toContain('export interface CommentRelations {\n  post?: Post & PostRelations\n}')
    // The field of that name is no relation.
    expect(text).not.toContain('comments?: ')
    expect(text).toContain('"/users/{id}/posts/{childId}": {\n    GET: { data: Post & PostRelations }')
    expect(text).not.toContain('"/tags/{id}/posts"')
  })

  it('have nothing to send where nothing can be written', async () => {
    const text = typesText(await modelOf(data), { readOnly: true })
    expect(text).not.toMatch(/New|POST|PUT|PATCH|DELETE/)
    expect(text).toContain('GET: { data: (Product & ProductRelations)[] }')
  })

  it('cannot be broken out of, whatever things are called', async () => {
    const text = typesText(
      await modelOf({ '*/ export const x = 1 /*': [{ id: 1, '*/': 1, '"': 2, '\n': 3 }] }),
      {
        source: '*/\nevil()',
      },
    )
    expect(text.split('\n')[0]).toBe(
      '// Generated by `restable types` from *\\/ evil(). Do not edit: changes are overwritten.',
    )
    expect(text).toContain('/** One of /*\\/ export const x = 1 /* */')
  })
})
