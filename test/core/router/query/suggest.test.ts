import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../../../src/core/engine/engine.ts'
import type { Ignored } from '../../../../src/core/engine/types.ts'
import { suggest } from '../../../../src/core/router/query/suggest.ts'

const CATALOG: Catalog = {
  naming: { id: 'id', foreignKeySuffix: '_id' },
  names: () => ['companies', 'owners', 'products', 'profile'],
  kindOf: (name) => (['companies', 'owners', 'products'].includes(name) ? 'collection' : undefined),
}

describe('the nearest thing that would have worked', () => {
  const fields = ['id', 'price', 'priced', 'company_id', 'head', 'head.city', 'Name']

  it.each<[string, string | undefined]>([
    ['price_gtt', 'price_gt'],
    ['price_Contains', 'price_contains'],
    ['prise_beteen', 'price_between'],
    ['price:startswith', 'price:startsWith'],
    ['companyId', 'company_id'],
    ['companyId_in', 'company_id_in'],
    ['name', 'Name'],
    ['head.ctiy_ne', 'head.city_ne'],
    ['limit', '_limit'],
    ['per_page', '_per_page'],
    ['_embeded', '_embed'],
    ['x', undefined],
    ['v', undefined],
    ['__', undefined],
    ['color', undefined],
    ['price'.repeat(20), undefined],
    ['price_neq', 'price_ne'],
    ['price_not', 'price_ne'],
    ['price_min', 'price_gte'],
    ['Name_regex', 'Name_like'],
    ['Name_starts', 'Name_startsWith'],
    ['price_gt ', 'price_gt'],
    ['price__gt', 'price_gt'],
    ['search', 'q'],
    ['_offset', '_start'],
    ['pageSize', '_per_page'],
    ['orderBy', '_sort'],
    ['include', '_embed'],
    ['company.name', 'company.name with _expand=company'],
    ['company.name_like', 'company.name_like with _expand=company'],
    ['price', undefined],
    ['price>100', 'price_gt=100'],
    ['price<-1.5', 'price_lt=-1.5'],
    ['price>', 'price_gte'],
    ['price<', 'price_lte'],
    ['price!', 'price_ne'],
    ['prise > 5', 'price_gt=5'],
    ['price>s3cret', 'price_gt'],
    ['color>5', undefined],
  ])('for %s', (name, suggestion) => {
    expect(
      suggest({ name, reason: 'unknown field' }, { collection: 'products', fields, catalog: CATALOG }),
    ).toBe(suggestion)
  })

  it.each<[Ignored, string | undefined]>([
    [{ name: '_sort=prcie', reason: 'unknown field', detail: 'prcie' }, '_sort=price'],
    [{ name: '_sort=price:desc', reason: 'unknown field', detail: 'price:desc' }, '_sort=-price'],
    [{ name: '_sort=prcie:ASC', reason: 'unknown field', detail: 'prcie:ASC' }, '_sort=price'],
    [{ name: '_sort=price desc', reason: 'unknown field', detail: 'price desc' }, '_sort=-price'],
    [{ name: '_fields=price:desc', reason: 'unknown field', detail: 'price:desc' }, undefined],
    [{ name: '_page', reason: 'unreadable value' }, '_page=1'],
    [{ name: '_fields=zzz', reason: 'unknown field', detail: 'zzz' }, undefined],
    [{ name: 'price[gte]', reason: 'matches nothing', detail: 'price' }, 'price_gte'],
    [{ name: 'price[$gt]', reason: 'matches nothing', detail: 'price' }, 'price_gt'],
    [{ name: '_order', reason: 'another parameter is missing', detail: '_sort' }, '_order with _sort'],
    [{ name: '_order', reason: 'unreadable value' }, '_order=desc'],
    [{ name: '_limit', reason: 'unreadable value' }, '_limit=10'],
    [{ name: 'id_nin', reason: 'unreadable value' }, 'id_nin=a,b'],
    [{ name: 'q', reason: 'unreadable value' }, undefined],
    [{ name: '_embed=prodcts', reason: 'unknown relation', detail: 'prodcts' }, '_embed=products'],
    [{ name: '_expand=products', reason: 'unknown relation', detail: 'products' }, '_embed=products'],
    [{ name: '_expand=companies', reason: 'unknown relation', detail: 'companies' }, '_expand=company'],
    [{ name: '_expand=compnay', reason: 'unknown relation', detail: 'compnay' }, '_expand=company'],
    [{ name: '_embed=products', reason: 'unknown relation', detail: 'products' }, undefined],
    [{ name: '_embed=a.b', reason: 'unknown relation', detail: 'a.b' }, undefined],
    [
      { name: '_expand=owner', reason: 'unknown relation', detail: 'owner' },
      '_expand=owner with --foreignKeySuffix Id',
    ],
    [{ name: '_expand=maker', reason: 'unknown relation', detail: 'maker' }, undefined],
    [{ name: '_expand=seller', reason: 'unknown relation', detail: 'seller' }, undefined],
  ])('for %j', (ignored, suggestion) => {
    expect(
      suggest(ignored, {
        collection: 'products',
        fields: [...fields, 'ownerId', 'maker_id', 'sellerId'],
        catalog: CATALOG,
      }),
    ).toBe(suggestion)
  })

  it('is not looked for among more names than anybody reads', () => {
    const many = [...Array.from({ length: 100_000 }, (_, at) => `other${at}`), 'price']
    expect(
      suggest(
        { name: 'prise', reason: 'unknown field' },
        { collection: 'products', fields: many, catalog: CATALOG },
      ),
    ).toBeUndefined()
  })
})
