import { companiesFor, productAt } from './data.ts'
import type { ServerName } from './servers.ts'

/** One request, before it is serialized. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** How json-server 0.17.4 is asked for the same, where it does not know the words. */
  readonly oldPath?: string
  /** json-server 0.17.4 cannot be asked for these rows at all: only the status and the total are compared. */
  readonly hasOtherRows?: boolean
  readonly body?: string
  readonly gzip?: boolean
}

/** The n-th request of a kind, for this many products. */
export type MakeAsk = (rows: number, n: number) => Ask

/** Number of URLs that warm reads repeat. */
export const WARM_URLS = 1000
const PAGE = 10
const MANY = 10_000_000
/** A prime: counting in steps of it visits every row once before any twice. */
const STRIDE = 7919

/** Repeats the same requests. The warm-up sends each of them, so that all timed ones are cached. */
export function warm(make: MakeAsk): MakeAsk {
  return (rows, n) => make(rows, n % WARM_URLS)
}

/**
 * A list whose URL never repeats and whose response is always the same: a limit above all rows, or if there already is
 * one, a relation to a collection that does not exist. Neither takes longer than a new URL does, as a filter would, even
 * one on a field that no row has.
 */
export function cold(make: MakeAsk): MakeAsk {
  return (rows, n) => {
    const { path, oldPath, ...rest } = make(rows, n)
    const unique = path.includes('_limit') ? `_expand=none${n}` : `_limit=${MANY + n}`
    const add = (to: string) => `${to}${to.includes('?') ? '&' : '?'}${unique}`
    return { ...rest, path: add(path), ...(oldPath ? { oldPath: add(oldPath) } : {}) }
  }
}

/** For an item, a parameter that both servers ignore is enough. */
export const coldItem: MakeAsk = (rows, n) => ({ path: `${item(rows, n).path}?v=${n}` })

export const item: MakeAsk = (rows, n) => ({ path: `/products/${spread(rows, n)}` })
export const list: MakeAsk = () => ({ path: '/products' })
export const gzip: MakeAsk = () => ({ path: '/products', gzip: true })
export const page: MakeAsk = (rows, n) => ({ path: `/products?${pageOf(rows, n)}` })
export const filter: MakeAsk = (rows, n) => ({ path: `/products?company_id=${companyAt(rows, n)}` })

/** Nine million prices before one repeats: always cold. */
export const range: MakeAsk = (_, n) => {
  const from = spread(9_000_000, n) / 10_000
  const order = n % 2 === 0 ? 'asc' : 'desc'
  const prices = `price_gte=${from}&price_lte=${from + 90}`
  return { path: `/products?${prices}&_sort=price&_order=${order}&_limit=${PAGE}` }
}

/** Cold as they are; no price has so many digits, so that more than it is as good as at least it. */
export const gt: MakeAsk = (_, n) => newer(`price_gt=${priceAt(n)}`, `price_gte=${priceAt(n)}`)
export const lt: MakeAsk = (_, n) => newer(`price_lt=${priceAt(n)}`, `price_lte=${priceAt(n)}`)
export const between: MakeAsk = (_, n) => {
  const [low, high] = [priceAt(n), priceAt(n) + 90]
  return newer(`price_between=${low},${high}`, `price_gte=${low}&price_lte=${high}`)
}
export const oneOf: MakeAsk = (rows, n) => {
  const ids = [n, n + 1, n + 2].map((each) => companyAt(rows, each))
  return newer(`company_id_in=${ids.join(',')}`, ids.map((id) => `company_id=${id}`).join('&'))
}
export const startsWith: MakeAsk = (rows, n) => {
  const start = encodeURIComponent(productAt(rows, n).name.slice(0, 12))
  return newer(`name_startsWith=${start}`, `name_like=^${start}`)
}
export const where: MakeAsk = (rows, n) => {
  const id = companyAt(rows, n)
  return newer(`_where=${encodeURIComponent(JSON.stringify({ company_id: id }))}`, `company_id=${id}`)
}

/** Words that many rows have, then a price that few have. */
export const search: MakeAsk = (rows, n) => {
  const { name, price } = productAt(rows, Math.floor(n / 2))
  const text = n % 2 === 0 ? name.split(' ').slice(1).join(' ') : String(price)
  return { path: `/products?q=${encodeURIComponent(text)}&_limit=${PAGE}` }
}

/** A plain piece of a name, then a pattern. */
export const like: MakeAsk = (rows, n) => {
  const { name } = productAt(rows, Math.floor(n / 2))
  const start = n % 5
  const pattern = n % 2 === 0 ? name.slice(start, start + 9) : `^${name.replace(/ .* /, '.*')}$`
  return { path: `/products?name_like=${encodeURIComponent(pattern)}&_limit=${PAGE}` }
}

/** One with its relations, then a page of them. */
export const embed: MakeAsk = (rows, n) => {
  const half = Math.floor(n / 2)
  if (n % 2 === 0) return { path: `/companies/${companyAt(rows, half)}?_embed=products` }
  return { path: `/companies?_embed=products&${pageOf(companiesFor(rows), half)}` }
}
export const expand: MakeAsk = (rows, n) => {
  const half = Math.floor(n / 2)
  if (n % 2 === 0) return { path: `/products/${spread(rows, half)}?_expand=company` }
  return { path: `/products?_expand=company&${pageOf(rows, half)}` }
}

/** json-server cannot sort by a parent's field; it is asked to sort by the key. */
export const expandSorted: MakeAsk = (rows, n) => {
  const path = `/products?_expand=company&${pageOf(rows, n)}`
  return { path: `${path}&_sort=company.name`, oldPath: `${path}&_sort=company_id`, hasOtherRows: true }
}

/** Bodies are plain ASCII, so that their length is their number of bytes. */
export const post: MakeAsk = (rows, n) => ({
  method: 'POST',
  path: '/products',
  body: `{"name":"Measured Product ${n}","price":${(n % 1000) + 0.25},"company_id":${companyAt(rows, n)}}`,
})
/** What `post` created, in id order. */
export const remove: MakeAsk = (rows, n) => ({ method: 'DELETE', path: `/products/${rows + 1 + n}` })
export const mixed: MakeAsk = (rows, n) => {
  const read = [item, page, filter][n % 3] ?? item
  if (n % 10 !== 9) return read(rows, n)
  return { method: 'PATCH', path: item(rows, n).path, body: `{"price":${(n % 1000) + 0.5}}` }
}

/** The request in the words of a server. */
export function askOf(server: ServerName, { oldPath, ...ask }: Ask): Ask {
  return server === 'json-server' && oldPath ? { ...ask, path: oldPath } : ask
}

/** A request as HTTP/1.1 text. */
export function writeRequest({ method = 'GET', path, body = '', gzip: isGzip = false }: Ask): string {
  const encoding = isGzip ? 'Accept-Encoding: gzip\r\n' : ''
  const type = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${encoding}${type}\r\n${body}`
}

function newer(query: string, old: string): Ask {
  const limit = `_limit=${PAGE}`
  return { path: `/products?${query}&${limit}`, oldPath: `/products?${old}&${limit}` }
}

function priceAt(n: number): number {
  return spread(9_000_000, n) / 10_000 + 0.000_05
}

function spread(count: number, n: number): number {
  return 1 + ((n * STRIDE) % count)
}

function companyAt(rows: number, n: number): number {
  return spread(companiesFor(rows), n)
}

function pageOf(rows: number, n: number): string {
  return `_page=${spread(Math.max(1, Math.floor(rows / PAGE)), n)}&_limit=${PAGE}`
}
