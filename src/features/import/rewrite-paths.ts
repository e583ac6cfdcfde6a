import { attempt } from '../../core/kernel/util/attempt.ts'
import { rewriting } from '../../core/layers/rewriter.ts'
import type { DocumentNode } from './api-document.ts'
import type { Resource } from './find-resources.ts'
import { keyOf, type Segment } from './paths.ts'

export type PathRules = Readonly<Record<string, string>>

export interface Rewritten {
  readonly rules: PathRules
  /** The collections whose key the rows of each have, since its path begins with theirs. */
  readonly parents: ReadonlyMap<string, ReadonlySet<string>>
  /** Paths that no rule leads to their resource. */
  readonly lost: readonly (readonly [resource: Resource, base: readonly Segment[]])[]
}

/** Rules by which the paths of a description lead to its resources. */
export function rewritePaths(resources: readonly Resource[], root: DocumentNode): Rewritten {
  const byBase = new Map(resources.flatMap((each) => each.bases.map((base) => [keyOf(base), each] as const)))
  const shared = sharedBy(resources.flatMap(({ bases }) => bases))
  const prefix = `${serverPath(root)}${shared.map((name) => `/${name}`).join('')}`
  const parents = new Map(resources.map(({ name }) => [name, new Set<string>()]))
  const needed: {
    readonly resource: Resource
    readonly base: readonly Segment[]
    readonly target: string
  }[] = []
  for (const resource of resources) {
    for (const whole of resource.bases) {
      const base = whole.slice(shared.length)
      const parent = parentOf(whole, byBase)
      if (parent) parents.get(resource.name)?.add(parent.name)
      const target = parent ? `/${parent.name}/:p${base.length - 2}/${resource.name}` : `/${resource.name}`
      needed.push({ resource, base, target })
    }
  }
  const rules: [string, string][] = prefix === '' ? [] : [[`${prefix}/*`, '/$1']]
  const longestFirst = needed.toSorted((a, b) => b.base.length - a.base.length)
  for (const { resource, base, target } of longestFirst) {
    const pattern = patternOf(base)
    if (pattern === target) continue
    rules.push([pattern, target])
    const stars = base.filter((each) => 'parameter' in each).length + 1
    if (resource.kind === 'collection') rules.push([`${pattern}/*`, `${target}/$${stars}`])
  }
  const all = Object.fromEntries(rules)
  const rewrite = attempt(() => rewriting(all)) ?? ((url: string) => url)
  const lost = needed.flatMap(({ resource, base, target }) => {
    const isReached = ['', ...(resource.kind === 'collection' ? ['/7'] : [])].every(
      (end) => rewrite(`${prefix}${sample(patternOf(base))}${end}`) === `${sample(target)}${end}`,
    )
    return isReached ? [] : [[resource, [...shared.map((literal) => ({ literal })), ...base]] as const]
  })
  return { rules: all, parents, lost }
}

/** A collection that this path begins with an item of. */
function parentOf(base: readonly Segment[], byBase: ReadonlyMap<string, Resource>): Resource | undefined {
  const id = base.at(-2)
  if (!id || !('parameter' in id)) return undefined
  const parent = byBase.get(keyOf(base.slice(0, -2)))
  return parent?.kind === 'collection' ? parent : undefined
}

/** Words that all paths begin with, before their resources. */
function sharedBy(bases: readonly (readonly Segment[])[]): readonly string[] {
  const [first = [], ...others] = bases.map((base) => base.slice(0, -1))
  const shared: string[] = []
  for (const [at, each] of first.entries()) {
    if (!('literal' in each)) break
    const isShared = others.every((base) => {
      const other = base[at]
      return other !== undefined && 'literal' in other && other.literal === each.literal
    })
    if (!isShared) break
    shared.push(each.literal)
  }
  return shared
}

function patternOf(base: readonly Segment[]): string {
  return base.map((each, at) => ('literal' in each ? `/${each.literal}` : `/:p${at}`)).join('')
}

function sample(path: string): string {
  return path.replace(/:p(\d+)/g, '4$1')
}

/** The path of the first server, with its variables filled in; of Swagger 2.0, its base path. */
function serverPath({ servers, basePath }: DocumentNode): string {
  const [server] = Array.isArray(servers) ? servers : []
  const { url, variables } = Object(server)
  const filled = String(url ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    String(Object(Object(variables)[name]).default ?? ''),
  )
  const path = servers === undefined ? String(basePath ?? '') : pathOf(filled)
  const trimmed = `/${path}`.replace(/\/+/g, '/').replace(/\/$/, '')
  return /^[\w/.~-]*$/.test(trimmed) && !trimmed.startsWith('/__') ? trimmed : ''
}

function pathOf(url: string): string {
  return attempt(() => new URL(url, 'http://localhost/').pathname) ?? ''
}
