import type { Product } from '../generate/dataset.ts'

/** One request, before it is written out for a server. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
  readonly gzip?: boolean
}

/** What the requests of a work are made from. */
export interface Sample {
  /** How many products there are. */
  readonly rows: number
  readonly companies: number
  /** Some of the products, to search for. */
  readonly products: readonly Product[]
}

/** The n-th request of a work: the next one always asks for something else. */
export type MakeAsk = (sample: Sample, n: number) => Ask

const PAGE = 10
/** A prime: counting in such steps visits every row once before any twice. */
const STRIDE = 7919

const item: MakeAsk = (sample, n) => ({ path: `/products/${spread(sample.rows, n)}` })
const page: MakeAsk = (sample, n) => ({
  path: `/products?_page=${pageNumber(sample.rows, n)}&_limit=${PAGE}`,
})
const filter: MakeAsk = (sample, n) => ({ path: `/products?company_id=${spread(sample.companies, n)}` })
const patch: MakeAsk = (sample, n) => ({
  method: 'PATCH',
  path: `/products/${spread(sample.rows, n)}`,
  body: `{"price":${(n % 1000) + 0.5}}`,
})

/** Everything that is timed by requests per second. */
export const asks = {
  item,
  // There is but one whole list; an unknown parameter, which both ignore, makes its URL another one.
  list: (_, n) => ({ path: `/products?v=${n}` }),
  gzip: (_, n) => ({ path: `/products?v=${n}`, gzip: true }),
  page,
  filter,
  range: (_, n) => {
    const from = spread(90_000, n) / 100
    const order = n % 2 === 0 ? 'asc' : 'desc'
    return {
      path: `/products?price_gte=${from}&price_lte=${from + 90}&_sort=price&_order=${order}&_limit=${PAGE}`,
    }
  },
  // Words that many rows have, then a price that few have.
  q: (sample, n) => {
    const { name, price } = productAt(sample, n)
    const text = n % 2 === 0 ? name.split(' ').slice(1).join(' ') : String(price)
    return { path: `/products?q=${encodeURIComponent(text)}&_limit=${PAGE}` }
  },
  // A plain piece of a name, then a pattern.
  like: (sample, n) => {
    const { name } = productAt(sample, n)
    const [first = name, ...others] = name.split(' ')
    const start = n % 5
    const pattern = n % 2 === 0 ? name.slice(start, start + 9) : `^${first}.*${others.at(-1) ?? ''}$`
    return { path: `/products?name_like=${encodeURIComponent(pattern)}&_limit=${PAGE}` }
  },
  // One with its relations, then a page of them.
  embed: (sample, n) => ({
    path:
      n % 2 === 0
        ? `/companies/${spread(sample.companies, n / 2)}?_embed=products`
        : `/companies?_embed=products&_page=${pageNumber(sample.companies, (n - 1) / 2)}&_limit=${PAGE}`,
  }),
  expand: (sample, n) => ({
    path:
      n % 2 === 0
        ? `/products/${spread(sample.rows, n / 2)}?_expand=company`
        : `/products?_expand=company&_page=${pageNumber(sample.rows, (n - 1) / 2)}&_limit=${PAGE}`,
  }),
  post: (sample, n) => ({ method: 'POST', path: '/products', body: newProduct(sample, n) }),
  // What `post` made, in the order of its ids.
  remove: (sample, n) => ({ method: 'DELETE', path: `/products/${sample.rows + 1 + n}` }),
  mixed: (sample, n) => {
    if (n % 10 === 9) return patch(sample, n)
    const read = [item, page, filter][n % 3] ?? item
    return read(sample, n)
  },
} satisfies Record<string, MakeAsk>

/** The name of a work that is timed by requests per second. */
export type LoadName = keyof typeof asks

/** A request as bytes of HTTP/1.1. */
export function writeRequest(ask: Ask): string {
  const { method = 'GET', path, body, gzip = false } = ask
  const type =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${gzip ? 'Accept-Encoding: gzip\r\n' : ''}${type}\r\n${body ?? ''}`
}

/** The body of a new product; plain ASCII, so that its length is its number of bytes. */
function newProduct({ companies }: Sample, n: number): string {
  return `{"name":"Measured Product ${n}","price":${(n % 1000) + 0.25},"company_id":${spread(companies, n)}}`
}

function spread(count: number, n: number): number {
  return 1 + ((n * STRIDE) % count)
}

function pageNumber(rows: number, n: number): number {
  return spread(Math.max(1, Math.floor(rows / PAGE)), n)
}

/** Each is looked for twice in a row, in two ways. */
function productAt({ products }: Sample, n: number): Product {
  const product = products[Math.floor(n / 2) % products.length]
  if (product === undefined) throw new Error('A search needs products to look for')
  return product
}
