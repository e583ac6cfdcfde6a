import { describe, expect, it } from 'vitest'
import { applySuggestion, canApply } from '../../src/page/tools/apply-suggestion.ts'

describe('applySuggestion', () => {
  it.each([
    ['/products?views_gtt=5&_page=1', 'views_gtt', 'views_gt', '/products?views_gt=5&_page=1'],
    ['/products?a=1&views_gtt=5&views_gtt=6', 'views_gtt', 'views_gt', '/products?a=1&views_gt=5&views_gt=6'],
    ['/products?views%5Fgtt=5', 'views_gtt', 'views_gt', '/products?views_gt=5'],
    ['/products?a=b=c', 'a', 'd', '/products?d=b=c'],
    ['/products?flag', 'flag', 'flags', '/products?flags'],
    ['/products?a=views_gtt', 'views_gtt', 'views_gt', '/products?a=views_gtt'],
    ['/products?nmae=x', 'nmae', 'full name', '/products?full%20name=x'],
    [
      '/products?price_between=1&q=x',
      'price_between',
      'price_between=10,20',
      '/products?price_between=10,20&q=x',
    ],
    ['/products?_per_page=5&_limit=3', '_per_page', '_per_page without _limit', '/products?_per_page=5'],
    ['/products?_sort=prcie&_order=desc', '_sort=prcie', '_sort=price', '/products?_sort=price&_order=desc'],
    ['/products?_sort=-prcie,name', '_sort=prcie', '_sort=price', '/products?_sort=-price,name'],
    ['/products?_sort=-prcie%2Cname', '_sort=prcie', '_sort=price', '/products?_sort=-price,name'],
    ['/products?_fields=id,%20nmae', '_fields=nmae', '_fields=name', '/products?_fields=id,%20name'],
    ['/companies?_embed=prodcts&q=x', '_embed=prodcts', '_embed=products', '/companies?_embed=products&q=x'],
    ['/companies?_expand=products', '_expand=products', '_embed=products', '/companies?_embed=products'],
    [
      '/products?_expand=company,tags',
      '_expand=tags',
      '_embed=tags',
      '/products?_expand=company&_embed=tags',
    ],
    [
      '/products?company.name=Acme',
      'company.name',
      'company.name with _expand=company',
      '/products?company.name=Acme&_expand=company',
    ],
    ['/products?_order=desc', '_order', '_order with _sort', '/products?_order=desc'],
    [
      '/products?_expand=company',
      '_expand=company',
      '_expand=company with --foreignKeySuffix _id',
      '/products?_expand=company',
    ],
    ['/post?_page=1', '/post', '/posts', '/posts?_page=1'],
    ['/post', '/post', '/posts', '/posts'],
    ['/posts?tagIds=2&q=x', 'tagIds', 'tagIds_in', '/posts?tagIds_in=2&q=x'],
    ['/posts?agentId=null', 'agentId', 'agentId_null=true', '/posts?agentId_null=true'],
    ['/posts?tags.name=x', 'tags.name', '/tags?name=…&_embed=posts', '/posts?tags.name=x'],
    ['/posts?_where={"a":"null"}', '_where.a', '{"a":null}', '/posts?_where={"a":"null"}'],
    ['/products?x=1', 'x', undefined, '/products?x=1'],
  ])('turns %s, where %s should be %s, into %s', (target, name, suggestion, expected) => {
    const part = { name, reason: 'unknown field', ...(suggestion !== undefined && { suggestion }) }
    expect(applySuggestion(target, part)).toBe(expected)
  })
  it('cannot turn a request into one of another method', () => {
    const part = {
      name: 'PUT /posts',
      reason: 'wrong method',
      suggestion: 'PUT /posts/:id',
    }
    expect(canApply(part)).toBe(false)
  })
})
