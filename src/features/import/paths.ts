import type { Operation } from './operations.ts'

/** A path of the description, with all that can be done there. */
export interface ApiPath {
  readonly segments: readonly Segment[]
  readonly operations: ReadonlyMap<string, Operation>
}

/** A part of a path: itself, or the name of a parameter. */
export type Segment = { readonly literal: string } | { readonly parameter: string }

/** Names that files and resources may have. */
export function isSafeName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && !/^(?:__.*|db|constructor|prototype)$/.test(name)
}

/** `/pets/{}`: the same for all names of its parameters. */
export function keyOf(segments: readonly Segment[]): string {
  return segments.map((each) => ('literal' in each ? `/${each.literal}` : '/{}')).join('')
}

/** Paths by their keys. Those whose parts are neither a word nor a parameter are left out. */
export function pathsOf(operations: readonly Operation[]): ReadonlyMap<string, ApiPath> {
  const paths = new Map<string, { segments: readonly Segment[]; operations: Map<string, Operation> }>()
  for (const operation of operations) {
    const segments = segmentsOf(operation.path)
    if (!segments) continue
    const key = keyOf(segments)
    const path = paths.get(key) ?? { segments, operations: new Map<string, Operation>() }
    paths.set(key, path)
    if (!path.operations.has(operation.method)) path.operations.set(operation.method, operation)
  }
  return paths
}

function segmentsOf(path: string): readonly Segment[] | undefined {
  const segments = path.replace(/\/$/, '').split('/').slice(1).map(segmentOf)
  return segments.every((each) => each !== undefined) ? segments : undefined
}

function segmentOf(text: string): Segment | undefined {
  const [, parameter] = /^\{([^{}]+)\}$/.exec(text) ?? []
  if (parameter !== undefined) return { parameter }
  return /^[\w.~-]+$/.test(text) ? { literal: text } : undefined
}

/** `/api/**`, `/pets/*`: two stars are any rest, one is any part. */
export function pathFilter(pattern: string): (path: string) => boolean {
  const escaped = pattern.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')
  const source = escaped.replace(/\/\*\*$|\*\*|\*/g, (star) =>
    star === '*' ? '[^/]*' : star === '**' ? '.*' : '(?:/.*)?',
  )
  const expression = new RegExp(`^${source}$`)
  return (path) => expression.test(path)
}
