import { describe, expect, it } from 'vitest'
import { typeNamesOf } from '../../../src/schema/names.ts'

const rowNames = (...resources: string[]) => [...typeNamesOf(resources).values()].map(({ row }) => row)

describe('the name of a type', () => {
  it.each([
    ['products', 'Product'],
    ['companies', 'Company'],
    ['people', 'Person'],
    ['news', 'News'],
    ['order-items', 'OrderItem'],
    ['order_items', 'OrderItem'],
    ['orderItems', 'OrderItem'],
    ['order items v2', 'OrderItemsV2'],
    ['cafés', 'Cafe'],
    ['2024 reports', 'N2024Report'],
    ['данные', 'Resource'],
    ['', 'Resource'],
    ['records', 'RecordItem'],
    ['errors', 'ErrorItem'],
    ['sets', 'SetItem'],
    ['class', 'Class'],
    ['__proto__', 'Proto'],
  ])('of %s is %s', (resource, name) => {
    expect(rowNames(resource)).toEqual([name])
  })

  it.each([
    ['a plural and its singular', ['posts', 'post'], ['Post', 'Post2']],
    ['upper and lower case', ['Posts', 'posts', 'POSTS'], ['Post', 'Post2', 'POST3']],
    ['names without a letter that all can read', ['данные', '数据'], ['Resource', 'Resource2']],
  ])('is another for %s', (_, resources, names) => {
    expect(rowNames(...resources).map((name) => name.toLowerCase())).toEqual(
      names.map((name) => name.toLowerCase()),
    )
  })

  it('for what is sent gives way to that of a resource', () => {
    const names = typeNamesOf(['products', 'new_products', 'product_patches'])
    expect(names.get('products')).toEqual({
      row: 'Product',
      fresh: 'NewProduct2',
      patch: 'ProductPatch2',
      relations: 'ProductRelations',
    })
    expect(names.get('new_products')?.row).toBe('NewProduct')
  })

  it('is an identifier and there once, whatever resources are called', () => {
    const odd = [
      'a b',
      'a-b',
      'a.b',
      'AB',
      'ab',
      'A_b',
      '1',
      '1s',
      '🙂',
      '$',
      'π',
      'string',
      'new',
      'New',
      'any',
      'patch',
    ]
    const all = [...typeNamesOf(odd).values()].flatMap(({ row, fresh, patch }) => [row, fresh, patch])
    expect(all.filter((name) => !/^[A-Za-z]\w*$/.test(name))).toEqual([])
    expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(odd.length * 3)
  })
})
