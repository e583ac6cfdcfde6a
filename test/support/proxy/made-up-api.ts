import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'

type Row = Record<string, unknown>

/** How an API is built: drawn at random. */
export interface Style {
  readonly prefix: string
  readonly envelope: 'bare' | 'data' | 'items' | 'results' | 'hal' | 'jsonapi' | 'nested'
  readonly total: 'header' | 'body' | 'none'
  readonly hasLinks: boolean
  readonly from: 0 | 1
  readonly paging: 'page' | 'offset' | 'cursor' | 'none'
  readonly size: number
  readonly id: string
  readonly ids: 'number' | 'text' | 'uuid'
  readonly isListShort: boolean
  readonly isItemWrapped: boolean
  readonly answersWrites: boolean
  readonly count: number
}

export const STYLES: fc.Arbitrary<Style> = fc.record({
  prefix: fc.constantFrom('', '/v1', '/api/v2'),
  envelope: fc.constantFrom('bare', 'data', 'items', 'results', 'hal', 'jsonapi', 'nested'),
  total: fc.constantFrom('header', 'body', 'none'),
  hasLinks: fc.boolean(),
  from: fc.constantFrom(0, 1),
  paging: fc.constantFrom('page', 'offset', 'cursor', 'none'),
  size: fc.integer({ min: 1, max: 4 }),
  id: fc.constantFrom('id', '_id', 'uuid', 'guid', 'gid', 'userId', 'user_id', 'id', 'id', 'id'),
  ids: fc.constantFrom('number', 'text', 'uuid'),
  isListShort: fc.boolean(),
  isItemWrapped: fc.boolean(),
  answersWrites: fc.boolean(),
  count: fc.integer({ min: 0, max: 7 }),
})

export type Step =
  | { readonly do: 'list'; readonly page: number | undefined; readonly sort: boolean }
  | { readonly do: 'item' | 'patch' | 'put' | 'delete'; readonly at: number }
  | { readonly do: 'nested' | 'tag'; readonly at: number }
  | { readonly do: 'post' | 'about' }

export const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('list' as const),
        page: fc.option(fc.nat(3), { nil: undefined }),
        sort: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('item' as const), at: fc.nat(7) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('nested' as const, 'tag' as const), at: fc.nat(3) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom('patch' as const, 'put' as const, 'delete' as const),
        at: fc.nat(7),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('post' as const, 'about' as const) }) },
  ),
  { minLength: 1, maxLength: 14 },
)

/** A small API of users and their posts, of any style. */
export class MadeUpApi {
  readonly #style: Style
  readonly #users: Row[]
  readonly #posts: Row[]
  #next: number

  constructor(style: Style) {
    this.#style = style
    this.#next = style.count + 1
    this.#users = Array.from({ length: style.count }, (_, at) => this.#made(at + 1))
    this.#posts = this.#users.flatMap((user, at) =>
      at % 2 === 0
        ? [{ id: at + 100, title: `Post $${at}`, url: 'http://x.example/a', of: user[style.id] }]
        : [],
    )
  }

  idAt(at: number): string {
    return String(this.#users[at % Math.max(1, this.#users.length)]?.[this.#idName] ?? '99')
  }

  get #idName(): string {
    return this.#style.envelope === 'jsonapi' ? 'id' : this.#style.id
  }

  #made(number: number): Row {
    const { ids } = this.#style
    const hex = number.toString(16).padStart(12, '0')
    const id = ids === 'number' ? number : ids === 'text' ? `u-${number}` : `00000000-0000-4000-8000-${hex}`
    const extra = number % 3 === 0 ? { nick: null } : {}
    return {
      [this.#idName]: id,
      name: `User ${number}`,
      tags: ['a', { id: number }],
      bio: `of ${number}`,
      ...extra,
    }
  }

  /** The path and query of a step; undefined if it asks for none. */
  request(step: Step): {
    readonly method: string
    readonly url: string
    readonly resource: string
    readonly body?: string
  } {
    const { prefix, paging, from, size } = this.#style
    const users = `${prefix}/users`
    switch (step.do) {
      case 'list': {
        const query = [
          ...(step.sort ? ['sort=-name'] : []),
          ...(step.page === undefined || paging === 'none'
            ? []
            : paging === 'page'
              ? [`page=${step.page + from}`]
              : paging === 'offset'
                ? [`offset=${step.page * size}`, `limit=${size}`]
                : [`cursor=c${step.page}`]),
        ]
        return {
          method: 'GET',
          url: users + (query.length > 0 ? `?${query.join('&')}` : ''),
          resource: 'users',
        }
      }
      case 'item':
        return { method: 'GET', url: `${users}/${this.idAt(step.at)}`, resource: 'users' }
      case 'nested':
        return { method: 'GET', url: `${users}/${this.idAt(step.at)}/posts`, resource: 'posts' }
      case 'tag':
        return { method: 'GET', url: `${prefix}/posts/${100 + step.at}`, resource: 'posts' }
      case 'about':
        return { method: 'GET', url: `${prefix}/about?x=1`, resource: '' }
      case 'post':
        return { method: 'POST', url: users, resource: 'users', body: JSON.stringify({ name: 'New' }) }
      case 'delete':
        return { method: 'DELETE', url: `${users}/${this.idAt(step.at)}`, resource: 'users' }
      default: {
        const method = step.do.toUpperCase()
        return {
          method,
          url: `${users}/${this.idAt(step.at)}`,
          resource: 'users',
          body: JSON.stringify({ name: 'Changed' }),
        }
      }
    }
  }

  readonly handle = (req: IncomingMessage, res: ServerResponse): void => {
    let text = ''
    req
      .on('data', (chunk) => (text += chunk))
      .on('end', () => {
        const [status, body, headers] = this.#answer(req, text === '' ? {} : JSON.parse(text))
        res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
        res.end(status === 204 ? undefined : JSON.stringify(body))
      })
  }

  #answer(req: IncomingMessage, sent: Row): [number, unknown, Record<string, string>?] {
    const { prefix, id: own, answersWrites } = this.#style
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://x')
    const [kind, id, below] = pathname.slice(prefix.length + 1).split('/')
    const base = `http://${req.headers.host}${prefix}`
    if (kind === 'about') return [200, { version: 3, docs: `${base}/docs`, names: ['a'] }]
    if (below === 'posts') {
      const posts = this.#posts.filter(({ of }) => String(of) === id).map(({ of: _, ...post }) => post)
      return this.#list(posts, new URLSearchParams(), base, 'posts')
    }
    const rows = kind === 'posts' ? this.#posts : this.#users
    const idName = kind === 'posts' ? 'id' : this.#idName
    void own
    if (id === undefined && req.method === 'GET') {
      const sorted = searchParams.has('sort') ? rows.toReversed() : rows
      return this.#list(sorted, searchParams, base, String(kind))
    }
    if (id === undefined) {
      const row = { ...this.#made(this.#next++), ...sent }
      rows.push(row)
      return [201, this.#item(row, 'users')]
    }
    const at = rows.findIndex((row) => String(row[idName]) === id)
    const row = rows[at]
    if (!row) return [404, { error: 'none' }]
    if (req.method === 'DELETE') {
      rows.splice(at, 1)
      return [204, undefined]
    }
    if (req.method !== 'GET') {
      rows[at] = req.method === 'PUT' ? { [idName]: row[idName], ...sent } : { ...row, ...sent }
      return answersWrites ? [200, this.#item(rows[at], 'users')] : [204, undefined]
    }
    return [200, this.#item(row, String(kind))]
  }

  #item(row: Row, type: string): unknown {
    if (this.#style.envelope === 'jsonapi') return { data: resource(row, type) }
    return this.#style.isItemWrapped ? { data: row } : row
  }

  #list(
    all: readonly Row[],
    query: URLSearchParams,
    base: string,
    type: string,
  ): [number, unknown, Record<string, string>] {
    const { envelope, total, hasLinks, from, paging, size, isListShort } = this.#style
    const isPaged = paging !== 'none' && type === 'users'
    const asked = query.get('page') ?? query.get('cursor')?.slice(1)
    const number = asked === undefined || asked === null ? 0 : Number(asked) - (paging === 'page' ? from : 0)
    const start = query.has('offset') ? Number(query.get('offset')) : number * size
    const rows = isPaged ? all.slice(start, start + size) : all
    const shown = rows.map((row) => {
      const { bio, ...short } = row
      return isListShort ? short : { ...short, ...(bio !== undefined && { bio }) }
    })
    const pages = Math.ceil(all.length / size)
    const next = isPaged && start + size < all.length ? `${base}/${type}?page=${number + 1 + from}` : null
    const around = {
      ...(total === 'body' && { total: all.length }),
      ...(isPaged && paging === 'page' && total === 'body' && { page: number + from, pages, per_page: size }),
      ...(hasLinks && { next, self: `${base}/${type}` }),
    }
    const body = {
      bare: shown,
      data: { data: shown, ...around },
      items: { items: shown, ...around },
      results: { ...around, results: shown },
      hal: { _embedded: { [type]: shown }, _links: hasLinks ? { self: { href: base } } : {}, ...around },
      jsonapi: {
        data: shown.map((row) => resource(row, type)),
        ...(total === 'body' && { meta: { total: all.length } }),
      },
      nested: { ok: true, response: { list: shown, paging: around } },
    }[envelope]
    return [200, body, total === 'header' ? { 'X-Total-Count': String(all.length) } : {}]
  }
}

function resource({ id, ...attributes }: Row, type: string): Row {
  return { type, id: String(id), attributes }
}
