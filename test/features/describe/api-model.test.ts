import { describe, expect, it } from 'vitest'
import { databaseSchema } from '../../../src/features/describe/api-model.ts'
import { modelOf } from '../../support/describable.ts'

const SHOP = {
  products: [
    { id: 1, name: 'Desk', company_id: 2, tag_ids: [1], secret: 'x' },
    { id: 2, name: 'Chair', company_id: 2 },
  ],
  companies: [{ id: 2, name: 'Acme' }],
  tags: [],
  profile: { name: 'Ada', company_id: 2 },
}

describe('the model of an API', () => {
  it('knows each resource with its kind, its types and its example', async () => {
    const { resources } = await modelOf(SHOP)
    expect(resources.map(({ name, kind, types }) => [name, kind, types.row])).toEqual([
      ['products', 'collection', 'Product'],
      ['companies', 'collection', 'Company'],
      ['tags', 'collection', 'Tag'],
      ['profile', 'object', 'Profile'],
    ])
    expect(resources[0]?.example).toEqual({ ...SHOP.products[0], secret: '***' })
    expect(resources[2]?.example).toBeUndefined()
  })

  it('marks the fields that point at other collections, one or many', async () => {
    const { resources } = await modelOf(SHOP)
    expect(resources[0]?.references).toEqual([
      { field: 'company_id', resource: 'companies', isList: false, relation: 'company' },
      { field: 'tag_ids', resource: 'tags', isList: true, relation: 'tags' },
    ])
    expect(resources[0]?.schema.properties).toMatchObject({
      company_id: { type: 'integer', 'x-references': 'companies' },
      tag_ids: { type: 'array', items: { type: 'integer', 'x-references': 'tags' } },
    })
  })

  it('knows that keys may be null where they have been nothing else', async () => {
    const comments = [{ id: 1, postId: null, tagIds: [null] }]
    const posts = [{ id: 1 }]
    const { resources } = await modelOf({ comments, posts, tags: [{ id: 'a' }] }, 'Id')
    expect(resources[0]?.schema.properties).toMatchObject({
      postId: { type: ['integer', 'null'], 'x-references': 'posts' },
      tagIds: { type: 'array', items: { type: ['string', 'null'], 'x-references': 'tags' } },
    })
  })

  it('goes by the suffix that the service goes by', async () => {
    const { resources } = await modelOf({ posts: [{ id: 1, userId: 1, user_id: 1 }], users: [] }, 'Id')
    expect(resources[0]?.references.map(({ field }) => field)).toEqual(['userId'])
  })

  it('of a row to be sent asks for no id', async () => {
    const { resources } = await modelOf(SHOP)
    expect(resources[0]?.schema.required).toEqual(['id', 'name', 'company_id'])
    expect(resources[0]?.newSchema.required).toEqual(['name', 'company_id'])
    expect(resources[3]?.newSchema.required).toEqual(['name', 'company_id'])
  })

  it('of a collection without rows knows that they will have an id', async () => {
    const { resources } = await modelOf(SHOP)
    expect(resources[2]).toMatchObject({
      schema: { properties: { id: { type: ['integer', 'string'] } }, required: ['id'] },
      idSchema: { type: ['integer', 'string'] },
    })
    expect(resources[2]?.newSchema.required).toBeUndefined()
  })

  it('makes one schema of the whole database', async () => {
    const schema = databaseSchema(await modelOf(SHOP))
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        products: { type: 'array', items: { $ref: '#/$defs/Product' } },
        profile: { $ref: '#/$defs/Profile' },
      },
      required: ['products', 'companies', 'tags', 'profile'],
    })
    expect(Object.keys(Object(schema.$defs))).toEqual(['Product', 'Company', 'Tag', 'Profile'])
  })
})
