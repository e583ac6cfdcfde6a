import { chain } from '../core/kernel/http/chain.ts'
import { FEATURES } from '../features/list.ts'
import { openRouter, type RestRouter, type RouterOptions } from '../source/open-router.ts'

/**
 * The REST API of a JSON file (a path), of an object that stays yours and is served live, of a lowdb 1 database, of
 * another router's `db`, or of your own engine. It describes itself at `/__schema` and `/__openapi`.
 *
 * @example app.use(router('db.json'))
 */
export function router(source: string | object, options: RouterOptions = {}): RestRouter {
  return openRouter(source, options, (engine) =>
    chain(FEATURES.flatMap(({ beside }) => beside?.({ engine, source, options }) ?? [])),
  )
}
