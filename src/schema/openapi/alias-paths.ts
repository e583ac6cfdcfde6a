import type { Operations } from './operations.ts'
import { type ApiSettings, publicRoutesOf } from './settings.ts'

/** Prefixes under which rewrite rules serve the whole API: `/api/v1` of `/api/v1/*` → `/$1`. */
export function prefixesOf({ rules, rewrite }: ApiSettings): readonly string[] {
  return Object.keys(rules).flatMap((pattern) => {
    const prefix = /^((?:\/[\w.~-]+)+)\/\*$/.exec(pattern)?.[1]
    return prefix !== undefined && rewrite(`${prefix}/${PROBE}`) === `/${PROBE}` ? [prefix] : []
  })
}

/** Adds the paths of rewrite rules, and public routes below a prefix, which guards treat unlike their targets. */
export function addAliases(operations: Operations): void {
  const { settings } = operations
  const routes = settings.layers.flatMap(({ name }) => publicRoutesOf(settings, name))
  const targets = operations.knownPaths
  const shapes = new Set(targets.map(shapeOf))
  for (const pattern of new Set([...Object.keys(settings.rules), ...routes])) {
    if (!/^(?:\/(?::\w+|[\w.~%-]+))+$/.test(pattern)) continue
    const alias = pattern.replace(/:(\w+)/g, '{$1}')
    const [target, known] = resolve(alias, settings, targets)
    if (known === undefined || shapes.has(shapeOf(alias))) continue
    shapes.add(shapeOf(alias))
    operations.addAgain(known, alias, `The same as \`${target}\`.`)
  }
}

/** Stands for a parameter when rules are tried out. */
const PROBE = 'restable-probe'

/** Paths are the same whatever their parameters are called. */
function shapeOf(path: string): string {
  return path.replace(/\{.*?\}/g, '{}')
}

/** What the rules make of a path, with a probe in place of each parameter, and which known path that is. */
function resolve(
  alias: string,
  { rewrite }: ApiSettings,
  paths: readonly string[],
): readonly [target: string, known: string | undefined] {
  const target = rewrite(alias.replace(/\{(\w+)\}/g, `${PROBE}-$1`))
  const segments = target.split('?', 1).join('').split('/')
  const known = paths.find((path) => {
    const parts = path.split('/')
    const isMet = (part: string, at: number) => part.startsWith('{') || part === segments[at]
    return parts.length === segments.length && parts.every(isMet)
  })
  return [target.replaceAll(new RegExp(`${PROBE}-(\\w+)`, 'g'), '{$1}'), known]
}
