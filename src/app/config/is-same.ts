import { isSameJson } from '../../json/values.ts'
import { routerSettings } from '../../router/router-settings.ts'
import type { Config } from './config.ts'

/** Whether two configs serve the same data, so that the engine can stay. */
export function isSameData(a: Config, b: Config): boolean {
  return (
    a.source === b.source &&
    a.seed === b.seed &&
    a.persist === b.persist &&
    a.reads === b.reads &&
    a.id === b.id &&
    a.foreignKeySuffix === b.foreignKeySuffix &&
    (a.hosted === undefined) === (b.hosted === undefined)
  )
}

/** Whether two configs answer requests to the data alike, so that the router can stay. */
export function isSameApi(a: Config, b: Config): boolean {
  return (
    isSameJson(routerSettings(a), routerSettings(b)) &&
    a.noGzip === b.noGzip &&
    isSameJson(accessIn(a), accessIn(b))
  )
}

/** What decides who may do what. */
function accessIn({ middlewares, layers, resources = {} }: Config): unknown {
  const rules = Object.entries(resources).map(([name, { access, owner }]) => [name, access, owner])
  return [middlewares.includes('accounts'), layers.accounts, rules]
}
