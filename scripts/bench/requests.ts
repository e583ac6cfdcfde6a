import { companiesFor, productAt } from './data.ts'
import { type ServerName, userOf } from './servers.ts'

/** One request, before it is serialized. */
export interface Ask {
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** How json-server 0.17.4 is asked for the same, where it does not know the words. */
  readonly oldPath?: string
  /** json-server 0.17.4 cannot be asked for these rows at all: only the status and the total are compared. */
  readonly hasOtherRows?: boolean
  /** Plain ASCII, so that its length is its number of bytes. */
  readonly body?: string
  readonly gzip?: boolean
  /** The company whose products are asked for. A server with owners is asked for all, in the name of the company. */
  readonly owner?: number
}

/** The n-th request of a kind, for this many products. */
export type MakeAsk = (rows: number, n: number) => Ask

/** Number of URLs that warm reads repeat. */
export const WARM_URLS = 1000
const PAGE = 10
const LIMIT = `_limit=${PAGE}`

/** A number from 1 to `count`. In steps of a prime, every one comes once before any comes twice. */
const spread = (count: number, n: number): number => 1 + ((n * 7919) % count)
const companyAt = (rows: number, n: number): number => spread(companiesFor(rows), n)
const pageOf = (rows: number, n: number) =>
  `_page=${spread(Math.max(1, Math.floor(rows / PAGE)), n)}&${LIMIT}`
/** No price has so many digits, so that more than it is as good as at least it. */
const priceAt = (n: number): number => spread(9_000_000, n) / 10_000 + 0.000_05
const prices = (from: number) => `price_gte=${from}&price_lte=${from + 90}`
const products = (query: string, old = query): Ask => ({
  path: `/products?${query}`,
  oldPath: `/products?${old}`,
})
const limited = (query: string, old = query): Ask => products(`${query}&${LIMIT}`, `${old}&${LIMIT}`)

/** Repeats the same requests. The warm-up sends each of them, so that all timed ones are cached. */
export function warm(make: MakeAsk): MakeAsk {
  return (rows, n) => make(rows, n % WARM_URLS)
}

/** A URL that never repeats, by what jQuery adds against caches: neither server takes it for a filter, or judges it as one. */
export function cold(make: MakeAsk): MakeAsk {
  return (rows, n) => {
    const { path, oldPath = path, ...rest } = make(rows, n)
    const add = (to: string) => `${to}${to.includes('?') ? '&' : '?'}_=${n}`
    return { ...rest, path: add(path), oldPath: add(oldPath) }
  }
}

export const item: MakeAsk = (rows, n) => ({ path: `/products/${spread(rows, n)}` })
export const coldItem = cold(item)
export const list: MakeAsk = () => ({ path: '/products' })
export const gzip: MakeAsk = () => ({ path: '/products', gzip: true })
export const page: MakeAsk = (rows, n) => products(pageOf(rows, n))
export const firstPage: MakeAsk = () => products(`_page=1&${LIMIT}`)
export const filter: MakeAsk = (rows, n) => products(`company_id=${companyAt(rows, n)}`)

/** What is around the rows differs. */
export const shaped: MakeAsk = (rows, n) => ({ ...cold(list)(rows, n), hasOtherRows: true })

/** Products of a company, by a filter or by their owner. */
export const own: MakeAsk = (rows, n) => ({ ...filter(rows, n), owner: companyAt(rows, n) })

/** Nine million prices before one repeats: always cold, and so are the next three. */
export const range: MakeAsk = (_, n) => {
  const order = n % 2 === 0 ? 'asc' : 'desc'
  return products(`${prices(spread(9_000_000, n) / 10_000)}&_sort=price&_order=${order}&${LIMIT}`)
}

/** A hundred pages of each of ten ranges, as somebody turns them over. */
export const rangePage: MakeAsk = (_, n) => {
  const turned = n % 1000
  const from = prices(spread(900, turned % 10))
  return products(`${from}&_sort=price&_page=${1 + Math.floor(turned / 10)}&${LIMIT}`)
}
export const gt: MakeAsk = (_, n) => limited(`price_gt=${priceAt(n)}`, `price_gte=${priceAt(n)}`)
export const lt: MakeAsk = (_, n) => limited(`price_lt=${priceAt(n)}`, `price_lte=${priceAt(n)}`)
export const between: MakeAsk = (_, n) =>
  limited(`price_between=${priceAt(n)},${priceAt(n) + 90}`, prices(priceAt(n)))

export const oneOf: MakeAsk = (rows, n) => {
  const ids = [n, n + 1, n + 2].map((each) => companyAt(rows, each))
  return limited(`company_id_in=${ids.join(',')}`, ids.map((id) => `company_id=${id}`).join('&'))
}
export const startsWith: MakeAsk = (rows, n) => {
  const start = encodeURIComponent(productAt(rows, n).name.slice(0, 12))
  return limited(`name_startsWith=${start}`, `name_like=^${start}`)
}
export const where: MakeAsk = (rows, n) => {
  const id = companyAt(rows, n)
  return limited(`_where=${encodeURIComponent(JSON.stringify({ company_id: id }))}`, `company_id=${id}`)
}

/** Words that many rows have, then a price that few have. */
export const search: MakeAsk = (rows, n) => {
  const { name, price } = productAt(rows, Math.floor(n / 2))
  const text = n % 2 === 0 ? name.split(' ').slice(1).join(' ') : String(price)
  return limited(`q=${encodeURIComponent(text)}`)
}
/** A plain piece of a name, then a pattern. */
export const like: MakeAsk = (rows, n) => {
  const { name } = productAt(rows, Math.floor(n / 2))
  const start = n % 5
  const pattern = n % 2 === 0 ? name.slice(start, start + 9) : `^${name.replace(/ .* /, '.*')}$`
  return limited(`name_like=${encodeURIComponent(pattern)}`)
}

export const embed: MakeAsk = (rows, n) => related('companies', '_embed=products', companiesFor(rows), n)
export const expand: MakeAsk = (rows, n) => related('products', '_expand=company', rows, n)
/** json-server cannot sort by a parent's field; it is asked to sort by the key. */
export const expandSorted: MakeAsk = (rows, n) => {
  const query = `_expand=company&${pageOf(rows, n)}&_sort=company`
  return { ...products(`${query}.name`, `${query}_id`), hasOtherRows: true }
}

export const post: MakeAsk = (rows, n) => ({
  method: 'POST',
  path: '/products',
  body: `{"name":"Measured Product ${n}","price":${(n % 1000) + 0.25},"company_id":${companyAt(rows, n)}}`,
})
/** The same, where ids are not comparable. */
export const postAnyId: MakeAsk = (rows, n) => ({ ...post(rows, n), hasOtherRows: true })
/** What `post` created, in id order. */
export const remove: MakeAsk = (rows, n) => ({ method: 'DELETE', path: `/products/${rows + 1 + n}` })
/** The same together, which json-server cannot. */
export const removeAll: MakeAsk = (rows) => ({ method: 'DELETE', path: `/products?id_gt=${rows}` })
export const patch: MakeAsk = (rows, n) => ({
  method: 'PATCH',
  path: item(rows, n).path,
  body: `{"price":${(n % 1000) + 0.5}}`,
})
/** Each read is the first after a write: what was cached or indexed is old. */
export const afterWrite: MakeAsk = (rows, n) => {
  const read = [item, page, filter, range][Math.floor(n / 2) % 4] ?? item
  return n % 2 === 0 ? patch(rows, n) : read(rows, n)
}
export const mixed: MakeAsk = (rows, n) => {
  const read = [item, page, filter][n % 3] ?? item
  return n % 10 < 8 ? read(rows, n) : patch(rows, n)
}

/** The path in the words of a server. */
export function pathFor(server: ServerName, { path, oldPath = path, owner }: Ask): string {
  if (server === 'restable with owners' && owner !== undefined) return path.replace(/company_id=\d+&?/, '')
  // It has no cache, and takes what makes a URL new for a filter.
  if (server === 'json-server 1.0') return path.replace(/[?&]_=\d+$/, '')
  return server === 'json-server' ? oldPath : path
}

/** In whose name a server with owners is asked. */
export function personaFor(server: ServerName, { owner }: Ask): Readonly<Record<string, string>> {
  return server === 'restable with owners' && owner !== undefined ? { 'X-Mock-User': userOf(owner) } : {}
}

/** A request as HTTP/1.1 text. */
export function writeRequest(server: ServerName, ask: Ask): string {
  const { method = 'GET', body = '', gzip: isGzip = false } = ask
  const encoding = isGzip ? 'Accept-Encoding: gzip\r\n' : ''
  const type = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const persona = Object.entries(personaFor(server, ask)).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${pathFor(server, ask)} HTTP/1.1\r\nHost: localhost\r\n${persona.join('')}`
  return `${head}${encoding}${type}\r\n${body}`
}

/** One with its relations, then a page of them. */
function related(collection: string, query: string, count: number, n: number): Ask {
  const half = Math.floor(n / 2)
  if (n % 2 === 0) return { path: `/${collection}/${spread(count, half)}?${query}` }
  return { path: `/${collection}?${query}&${pageOf(count, half)}` }
}
