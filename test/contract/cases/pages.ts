import { blog, odd, shop } from '../fixtures.ts'
import { type ContractStep, get, type Readings } from './table.ts'

const numbers = [
  '0',
  '1',
  '2',
  '3',
  '5',
  '23',
  '24',
  '25',
  '99',
  '-1',
  '-5',
  '-99',
  '2.9',
  'abc',
  '',
  '1e1',
  '%202',
  '0x2',
  'null',
]

/** Slices: each number as each bound, and each pair of some of them. */
const slices = [
  ...numbers.map((n) => `_end=${n}`),
  ...numbers.map((n) => `_limit=${n}`),
  ...numbers.filter(Boolean).map((n) => `_start=2&_end=${n}`),
  ...numbers.map((n) => `_start=${n}&_end=5`),
  ...numbers.map((n) => `_start=${n}&_limit=3`),
  ...numbers.filter(Boolean).map((n) => `_start=-3&_limit=${n}`),
  '_start=2&_end=4&_limit=1',
  '_end=4&_limit=1',
  '_start=4&_end=2',
  '_start=1&_start=2&_end=5',
  '_end=5&_end=2',
  '_limit=5&_limit=2',
  '_limit[]=3',
  '_start=0&_end=25',
  '_start=',
  '_start&_end&_limit',
]

/** Pages whose number stands in the URL as 0.17.4 reads it, so that replacing the text works. */
const pages = [
  ...numbers.filter((n) => !/^-/.test(n)).map((n) => `_page=1&_limit=${n}`),
  '_page=1',
  '_page=2',
  '_page=3',
  '_page=4',
  '_page=99',
  '_page=2&_limit=10',
  '_page=3&_limit=10',
  '_page=24&_limit=1',
  '_page=2&_limit=12',
  '_page=2&_limit=24',
  '_page=1&_limit=24',
  '_limit=5&_page=2',
  '_page=2&_limit=5&price_gte=100',
  '_page=2&_limit=5&_sort=price,name&_order=desc,asc',
  '_page=1&_limit=5&q=chair',
  '_page=1&_limit=5&name_like=%5Echair',
  '_page=1&_limit=5&name=Sof%C3%A0',
  '_page=1&_limit=2&name=Sof%C3%A0+XL',
  '_page=1&_limit=2&name=Sof%c3%a0%20XL',
  '_page=2&_limit=2&company_id=1&company_id=2',
  '_page=2&_limit=2&company_id[]=1&company_id[]=2',
  '_page=2&_limit=2&&nope',
  '_page=1&_limit=100',
  '_page=2&_limit=3&_=12',
  '_page=2&_limit=3&_end=5',
  '_page=',
  '_page=2&_limit=3&_delay=1',
]

const sorts = [
  '/products?_sort=price',
  '/products?_sort=price&_order=asc',
  '/products?_sort=price&_order=desc',
  '/products?_sort=price&_order=DESC',
  '/products?_sort=price&_order=Asc',
  '/products?_sort=price&_order=upwards',
  '/products?_sort=price&_order=',
  '/products?_sort=name,price',
  '/products?_sort=name,price&_order=desc,asc',
  '/products?_sort=name,price&_order=desc',
  '/products?_sort=name,price&_order=,desc',
  '/products?_sort=company_id,price,id&_order=asc,desc,desc',
  '/products?_sort=name%2Cprice&_order=desc%2CASC',
  '/products?_sort=nope',
  '/products?_sort=nope&_order=desc',
  '/products?_sort=',
  '/products?_sort=,',
  '/products?_sort=,price',
  '/products?_sort=%20price',
  '/products?_order=desc',
  '/products?_sort=__proto__',
  '/products?_sort=name.length',
  '/products?_sort=name.length,id&_order=desc,desc',
  '/products?_sort=price&_limit=5',
  '/products?_sort=price&_order=desc&_start=3&_end=7',
  '/companies?_sort=name',
  '/companies?_sort=headquarter.lat&_order=desc',
  '/companies?_sort=headquarter.lon',
  '/companies?_sort=locations.length&_order=desc',
  '/companies?_sort=locations.0.city',
  '/companies?_sort=locations[0].city&_order=desc',
  '/companies?_sort=locations',
  '/companies?_sort=revenue,id&_order=asc,desc',
]

const mixedSorts = [
  'id',
  'v',
  's',
  'd',
  'f',
  'b',
  'n',
  'n.a.b',
  'n.a',
  'n.list',
  'v,s',
  'b,f,id',
  'd,id',
  'nope,v',
].flatMap((key) => [
  `/things?_sort=${key}`,
  `/things?_sort=${key}&_order=desc`,
  `/things?_sort=${key}&_order=desc,desc`,
])

const others = [
  '/words?_sort=id',
  '/words?_sort=id&_order=desc',
  '/mixed?_sort=id',
  '/mixed?_sort=id&_order=desc',
  '/bare?_sort=name&_order=desc',
  '/bare?_sort=id',
  '/none?_sort=id',
  '/none?_page=1',
  '/none?_page=2&_limit=1',
  '/none?_limit=5',
  '/none?_end=5',
  '/none?_start=1&_end=5',
  '/strays?_sort=a.b',
  '/strays?_sort=x%20y',
  '/settings?_page=1&_limit=1&_sort=theme',
  '/db?_page=1',
]

/** Where the text that 0.17.4 replaces in the URL is not the page number. */
const links: readonly ContractStep[] = [
  link('/posts?_page=0&_limit=1', 'first:1 next:2 last:2'),
  link('/posts?_page=abc&_limit=1', 'first:1 next:2 last:2'),
  link('/posts?_page=-1&_limit=1', 'first:1 next:2 last:2'),
  link('/posts?_page=1.5&_limit=1', 'first:1 next:2 last:2'),
  link('/posts?_page=01&_limit=1', 'first:1 next:2 last:2'),
  get('/posts?homepage=1&_page=1&_limit=1', 'link', {
    headers: {
      link: ['1>; rel="first"', '2>; rel="next"', '2>; rel="last"']
        .map((end) => `<http://HOST/posts?homepage=1&_page=${end.replace('>', '&_limit=1>')}`)
        .join(', '),
    },
  }),
]

export const windows: readonly Readings[] = [
  {
    title: 'slices and pages',
    data: shop,
    steps: [...slices, ...pages].map((query) => get(`/products?${query}`)),
  },
  { title: 'sorting products and companies', data: shop, steps: sorts.map((path) => get(path)) },
  { title: 'sorting odd data', data: odd, steps: [...mixedSorts, ...others].map((path) => get(path)) },
  { title: 'links that 0.17.4 gets wrong', data: blog, steps: links },
  {
    title: '_start alone',
    data: blog,
    steps: [
      startAlone('/posts?_start=1', [post(2)], 'posts 1-1/2'),
      startAlone('/posts?_start=2', [], 'posts */2'),
      startAlone('/posts?_start=-1', [post(2)], 'posts 1-1/2'),
      startAlone('/comments?postId=2&_start=1', [], 'comments */1'),
      startAlone('/posts?_start=1&_end=', [post(2)], 'posts 1-1/2'),
      startAlone('/posts?_start=1&_limit=', [post(2)], 'posts 1-1/2'),
    ],
  },
]

function link(path: string, pagesByRel: string): ContractStep {
  const made = pagesByRel.split(' ').map((pair) => {
    const [rel, page] = pair.split(':')
    return `<http://HOST${path.replace(/_page=[^&]*/, `_page=${page}`)}>; rel="${rel}"`
  })
  return get(path, 'link', { headers: { link: made.join(', ') } })
}

function startAlone(path: string, body: readonly unknown[], range: string): ContractStep {
  return get(path, 'start-alone', {
    body,
    headers: {
      'content-range': range,
      'x-total-count': range.split('/')[1],
      'access-control-expose-headers': 'X-Total-Count',
    },
  })
}

function post(id: number): unknown {
  return Array.isArray(blog.posts) ? blog.posts[id - 1] : undefined
}
