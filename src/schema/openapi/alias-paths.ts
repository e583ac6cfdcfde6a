import type { Operation, Operations, PathItem, Paths } from './operations.ts'
import { type ApiSettings, publicRoutesOf } from './settings.ts'

/** Prefixes under which rewrite rules serve the whole API: `/api/v1` of `/api/v1/*` → `/$1`. */
export function prefixesOf({ rules, rewrite }: ApiSettings): readonly string[] {
  return Object.keys(rules).flatMap((pattern) => {
    const prefix = /^((?:\/[\w.~-]+)+)\/\*$/.exec(pattern)?.[1]
    return prefix !== undefined && rewrite(`${prefix}/${PROBE}`) === `/${PROBE}` ? [prefix] : []
  })
}

/** The paths that rewrite rules add, and public routes below a prefix, which guards treat unlike their targets. */
export function aliasPaths(paths: Paths, operations: Operations): Paths {
  const { settings } = operations
  const routes = settings.layers.flatMap(({ name }) => publicRoutesOf(settings, name))
  const found = new Map<string, PathItem>()
  for (const pattern of new Set([...Object.keys(settings.rules), ...routes])) {
    const alias = readAlias(pattern)
    const meant = alias && resolve(alias, settings, paths)
    const shape = alias?.template.replace(/\{.*?\}/g, '{}')
    const isKnown = [...Object.keys(paths), ...found.keys()].some(
      (path) => path.replace(/\{.*?\}/g, '{}') === shape,
    )
    if (!alias || !meant || isKnown) continue
    found.set(alias.template, itemFor(alias, meant, operations))
  }
  return Object.fromEntries(found)
}

interface Alias {
  /** `/api/companies/{id}/full` */
  readonly template: string
  readonly names: readonly string[]
}

/** Stands for a parameter when rules are tried out. */
const PROBE = 'restable-probe'

function readAlias(pattern: string): Alias | undefined {
  if (!/^(?:\/(?::\w+|[\w.~%-]+))+$/.test(pattern)) return undefined
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return { template: pattern.replace(/:(\w+)/g, '{$1}'), names }
}

interface Meant {
  readonly target: string
  readonly item: PathItem
}

/** Applies the rules to the path, with a probe in place of each parameter, and finds the path they lead to. */
function resolve({ template }: Alias, { rewrite }: ApiSettings, paths: Paths): Meant | undefined {
  const target = rewrite(template.replace(/\{(\w+)\}/g, `${PROBE}-$1`))
  const [path = ''] = target.split('?', 1)
  const segments = path.split('/')
  const isMeant = (known: string) => {
    const parts = known.split('/')
    return (
      parts.length === segments.length &&
      parts.every((part, at) => isParameter(part) || part === segments[at])
    )
  }
  const found = Object.entries(paths).find(([known]) => isMeant(known))
  return found && { target: shown(target), item: found[1] }
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

function shown(target: string): string {
  return target.replaceAll(new RegExp(`${PROBE}-(\\w+)`, 'g'), '{$1}')
}

function itemFor(alias: Alias, meant: Meant, operations: Operations): PathItem {
  const methods = Object.entries(meant.item).map(([method, operation]) => [
    method,
    asAlias(operation, alias, meant, operations),
  ])
  return Object.fromEntries(methods)
}

function asAlias(
  operation: Operation,
  { template, names }: Alias,
  meant: Meant,
  operations: Operations,
): Operation {
  const others = (operation.parameters ?? []).filter((parameter) => !isInPath(parameter))
  const own = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const parameters = [...own, ...others]
  return {
    ...operations.movedTo(template, operation),
    description: `The same as \`${meant.target}\`.`,
    ...(parameters.length > 0 && { parameters }),
  }
}

function isInPath(parameter: object): boolean {
  return 'in' in parameter && parameter.in === 'path'
}
