import { FEATURES } from '../../features/list.ts'
import { chain } from '../kernel/http/chain.ts'
import { type RestRouter, type RouterOptions, router as withoutFeatures } from '../router/router.ts'

/**
 * The REST API of a JSON file (a path), of an object that stays yours and is served live, of a lowdb 1 database, of
 * another router's `db`, or of your own engine. It describes itself at `/__schema` and `/__openapi`.
 *
 * @example app.use(router('db.json'))
 */
export function router(source: string | object, options: RouterOptions = {}): RestRouter {
  return withoutFeatures(source, {
    ...options,
    besides: (engine) => chain(FEATURES.flatMap(({ beside }) => beside?.({ engine, source, options }) ?? [])),
  })
}
