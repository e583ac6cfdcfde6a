import type express from 'express'
import { expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { serving } from '../../support/http/serving.ts'

it.each([
  ['few rows', 1],
  ['rows that take long to look at', 60_000],
])(
  'an object of %s is served as its owner left it, whatever part a request comes to need',
  async (_, size) => {
    const company = { id: 1, name: 'a' }
    const posts = Array.from({ length: size }, (_, at) => ({ id: at + 1, tags: { first: at } }))
    const data = { companies: [company], products: [{ id: 1, companyId: 1 }], posts }
    const expand: express.RequestHandler = (req, _res, next) => {
      Object.assign(req.query, { _expand: 'company' })
      next()
    }
    const base = await serving(create().use(expand).use(router(data)))
    for (const name of ['b', 'c', 'd']) {
      company.name = name
      const found = await (await fetch(`${base}/products`)).json()
      expect(found).toEqual([{ id: 1, companyId: 1, company: { id: 1, name } }])
    }
  },
)

it('an item is another one once a row before it has the same id', async () => {
  const first = { id: 2 as unknown, name: 'first' }
  const data = { posts: [first, { id: 1, name: 'second' }] }
  const base = await serving(create().use(router(data)))
  const named = async () => {
    const { name } = Object(await (await fetch(`${base}/posts/1`)).json())
    return name
  }
  for (const [id, name] of [
    [2, 'second'],
    [1, 'first'],
    [3, 'second'],
    ['1', 'first'],
  ]) {
    first.id = id
    expect([await named(), await named()]).toEqual([name, name])
  }
})

it('what belongs to a row is there as long as its collection is', async () => {
  const data: Record<string, object> = { companies: [{ id: 1 }], posts: [{ id: 1, companyId: 1 }] }
  const { companies = [] } = data
  const base = await serving(create().use(router(data)))
  const twice = async () => [
    (await fetch(`${base}/companies/1/posts/1`)).status,
    (await fetch(`${base}/companies/1/posts/1`)).status,
  ]
  expect(await twice()).toEqual([200, 200])
  delete data.companies
  expect(await twice()).toEqual([404, 404])
  data.companies = companies
  expect(await twice()).toEqual([200, 200])
  data.companies = { name: 'an object' }
  expect(await twice()).toEqual([404, 404])
})

it('a collection comes before one whose name is written in another case', async () => {
  const data: Record<string, object[]> = { posts: [{ id: 1, name: 'lower' }] }
  const base = await serving(create().use(router(data)))
  const read = async () => [
    await (await fetch(`${base}/Posts`)).json(),
    await (await fetch(`${base}/Posts/1`)).json(),
  ]
  for (let times = 0; times < 2; times++)
    expect(await read()).toEqual([[{ id: 1, name: 'lower' }], { id: 1, name: 'lower' }])
  data.Posts = [{ id: 1, name: 'upper' }]
  expect(await read()).toEqual([[{ id: 1, name: 'upper' }], { id: 1, name: 'upper' }])
})

it('so does one among the parents, or below a row that has the name as its id', async () => {
  const data: Record<string, object[]> = {
    posts: [{ id: 'posts' }],
    companies: [{ id: 1 }],
    products: [
      { id: 1, companyId: 1 },
      { id: 2, CompanyId: 1 },
    ],
  }
  const base = await serving(create().use(router(data)))
  const paths = ['Posts/posts', 'Companies/1/products', 'Companies/1/products/2']
  const read = () => Promise.all(paths.map(async (path) => (await fetch(`${base}/${path}`)).json()))
  for (let times = 0; times < 2; times++)
    expect(await read()).toEqual([{ id: 'posts' }, [data.products?.[0]], {}])
  data.Posts = [{ id: 'posts', name: 'upper' }]
  data.Companies = [{ id: 1 }]
  const below = data.products?.[1]
  expect(await read()).toEqual([{ id: 'posts', name: 'upper' }, [below], below])
})

it('what belongs to a row is found by the name that its collection has now', async () => {
  const data: Record<string, object[]> = {
    companies: [{ id: 1 }],
    products: [{ id: 1, companyId: 1 }],
  }
  const base = await serving(create().use(router(data)))
  const read = async () => (await fetch(`${base}/companies/1/products`)).json()
  expect(await read()).toHaveLength(1)
  data.Companies = [{ id: 1 }]
  delete data.companies
  expect(await read()).toEqual([])
})
