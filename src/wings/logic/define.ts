import type { IncomingHttpHeaders } from 'node:http'
import type { Request } from 'express'

/** The types of a resource, as `restable types` prints them. */
export interface ResourceTypes {
  readonly row: object
  readonly new: object
  readonly kind: 'collection' | 'object'
}

export type ApiTypes<A> = { readonly [Name in keyof A]: ResourceTypes }

interface AnyRow {
  readonly row: Record<string, unknown>
  readonly new: Record<string, unknown>
  readonly kind: 'collection'
}

/** For code without types of its own. */
export type AnyApi = Readonly<Record<string, AnyRow>>

type Id = string | number

/** Words of the query string, such as `{ status: 'open', price_gt: 10, _sort: '-price', _embed: 'items' }`. */
export type QueryWords = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>

export interface Collection<R extends ResourceTypes> {
  /** Undefined if there is none. */
  get(id: Id): Promise<R['row'] | undefined>
  /** All, or those that a query selects. A word that means nothing is an error. */
  list(query?: QueryWords): Promise<R['row'][]>
  create(fields: R['new']): Promise<R['row']>
  create(rows: readonly R['new'][]): Promise<R['row'][]>
  /** Changes some fields. Like all that follow, refuses with 404 if there is no such row. */
  update(id: Id, fields: Partial<R['new']>): Promise<R['row']>
  replace(id: Id, fields: R['new']): Promise<R['row']>
  /** Resolves with what it removed. */
  remove(id: Id): Promise<R['row']>
}

export interface SingleObject<R extends ResourceTypes> {
  get(): Promise<R['row'] | undefined>
  update(fields: Partial<R['new']>): Promise<R['row']>
  replace(fields: R['new']): Promise<R['row']>
}

type Resource<R extends ResourceTypes> = R extends { readonly kind: 'object' }
  ? SingleObject<R>
  : Collection<R>

type Tables<A extends ApiTypes<A>> = { readonly [Name in keyof A]: Resource<A[Name]> }

/** The data that the request sees, as its client may read and write it. `asServer` is without rules of access. */
export type Db<A extends ApiTypes<A> = AnyApi> = Tables<A> & { readonly asServer: Tables<A> }

/** The tools of every function. */
export interface Tools<A extends ApiTypes<A> = AnyApi> {
  readonly db: Db<A>
  /** The logged-in user, without the password. */
  readonly user: User | undefined
  /** The time by the server's clock, ISO 8601. */
  readonly now: string
}

// biome-ignore lint/suspicious/noExplicitAny: which fields users have is up to the data
export type User = Readonly<Record<string, any>>

export interface Scheduling<A extends ApiTypes<A> = AnyApi> extends Tools<A> {
  /**
   * Runs a function once the change is saved, and this much time passed on the server's clock. It has a `db` of its own.
   * @example later('2s', ({ db }) => db.orders.update(order.id, { status: 'shipped' }))
   */
  readonly later: (after: string | number, act: (tools: Scheduling<A>) => unknown) => void
}

export interface HandlerContext<A extends ApiTypes<A> = AnyApi> extends Scheduling<A> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: whatever the client sent
  readonly body: any
  readonly headers: IncomingHttpHeaders
  readonly request: Request
}

/** Returns what to send, `[status, body]`, or a `Response`. Undefined is 204; for a GET, 404. */
export type Handler<A extends ApiTypes<A> = AnyApi> = (context: HandlerContext<A>) => unknown

type Written<R extends ResourceTypes> = { readonly row: R['row'] }
type Updated<R extends ResourceTypes> = { readonly row: R['row']; readonly old: R['row'] }
/** The row to store instead, if any. */
// biome-ignore lint/suspicious/noConfusingVoidType: functions without a return are as good
type Changed<R extends ResourceTypes> = R['row'] | undefined | void | Promise<R['row'] | undefined | void>

export interface ResourceLogic<A extends ApiTypes<A>, R extends ResourceTypes> {
  /** Read-only fields, made of the others and not stored. */
  readonly computed?: Readonly<Record<string, (row: R['row']) => unknown>>
  /** Run inside the commit of every write, after defaults and before the schema. A throw changes nothing. */
  readonly before?: {
    readonly create?: (event: Written<R> & Tools<A>) => Changed<R>
    readonly update?: (event: Updated<R> & Tools<A>) => Changed<R>
    readonly delete?: (event: Written<R> & Tools<A>) => unknown
  }
  /** Run once the write is saved. The response waits for them; their errors go to the log. */
  readonly after?: {
    readonly create?: (event: Written<R> & Scheduling<A>) => unknown
    readonly update?: (event: Updated<R> & Scheduling<A>) => unknown
    readonly delete?: (event: Written<R> & Scheduling<A>) => unknown
  }
}

type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** Handlers by method and path, and what belongs to each resource by its name. */
export type Logic<A extends ApiTypes<A> = AnyApi> = { readonly [At in Route]?: Handler<A> } & {
  // Without types of its own, any name may be that of a handler.
  readonly [Name in keyof A]?: string extends Name
    ? Handler<A> | ResourceLogic<A, A[Name]>
    : ResourceLogic<A, A[Name]>
}

/**
 * Your own endpoints, computed fields and hooks, in `api.ts` or `api.js` beside the data.
 * @example
 * export default define<Api>({
 *   'POST /orders/:id/finish': ({ params, db }) => db.orders.update(params.id, { status: 'finished' }),
 *   posts: { computed: { excerpt: (post) => post.body.slice(0, 80) } },
 * })
 */
export function define<A extends ApiTypes<A> = AnyApi>(logic: Logic<A>): Logic<A> {
  return logic
}
