import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'

const require = nodeModule.createRequire(import.meta.url)

let isLoading = false

/** From now on, `import` loads TypeScript, even where Node does not do so itself: before 22.18. */
export function loadTypeScript(): void {
  if (isLoading || Reflect.get(process.features, 'typescript')) return
  isLoading = true
  // These hooks run in a separate thread, so they get the source text.
  const sucrase = pathToFileURL(require.resolve('sucrase')).href
  const hooks = `import sucrase from ${JSON.stringify(sucrase)}\nexport const load = (${stripTypes})(sucrase.transform, ${checkNamespaces})`
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hooks)}`)
}

interface Loaded {
  readonly format: string
  readonly source?: unknown
  readonly shortCircuit?: boolean
}

type Load = (url: string, context: object) => Promise<Loaded>
type Transform = (code: string, options: object) => { readonly code: string }

/** Must be self-contained: its source is sent to another thread. Lines stay where they are, for errors. */
function stripTypes(transform: Transform, check: typeof checkNamespaces) {
  return async (url: string, context: object, next: Load): Promise<Loaded> => {
    const [, kind] = /^file:(?!.*\/node_modules\/).*\.([cm]?)ts(?:\?|$)/.exec(url) ?? []
    if (kind === undefined) return next(url, context)
    const { source } = await next(url, { ...context, format: 'module' })
    try {
      const { code } = transform(String(source), { transforms: ['typescript'], disableESTransforms: true })
      check(String(source), code)
      return { format: kind === 'c' ? 'commonjs' : 'module', source: code, shortCircuit: true }
    } catch (error) {
      const [, message, line] =
        /^(.*) \((\d+):\d+\)$/.exec(String(Reflect.get(Object(error), 'message'))) ?? []
      if (message === undefined) throw error
      // As Node does: the place comes before the stack.
      throw Object.assign(new SyntaxError(message), { stack: `${url}:${line}\n\nSyntaxError: ${message}` })
    }
  }
}

/** Refuses namespaces with values, which sucrase leaves out silently. Self-contained as well. */
function checkNamespaces(source: string, code: string): void {
  const lines = code.split('\n')
  for (const found of source.matchAll(/^[ \t]*(?:export[ \t]+)?((?:namespace|module)[ \t]+[\w$.]+)\s*\{/gm)) {
    const [head, name = ''] = found
    const line = source.slice(0, found.index).split('\n').length
    // Comments and strings stay.
    if (lines[line - 1]?.includes(name)) continue
    const body = source.slice(found.index + head.length)
    let [end, depth] = [0, 1]
    for (; depth > 0 && end < body.length; end++)
      depth += Number(body[end] === '{') - Number(body[end] === '}')
    const text = body.slice(0, end).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    if (/\b(?:const|let|var|function|class|enum)\s+[\w$]/.test(text))
      throw new SyntaxError(`${name} has values, which would be lost: write an object instead (${line}:1)`)
  }
}

interface Resolved {
  url: string
}

type Resolve = (specifier: string, context: object) => Resolved | Promise<Resolved>

let isPassingVersions = false

/**
 * From now on, a module loaded as `file.js?v=2` also gets its imports from the project as `?v=2`. Node
 * caches ES modules by URL for good, so a new URL is the only way to reload a file.
 */
export function passVersionsOn(): void {
  if (isPassingVersions) return
  isPassingVersions = true
  const registerHooks: unknown = Reflect.get(nodeModule, 'registerHooks')
  if (typeof registerHooks === 'function') registerHooks({ resolve: resolveVersioned })
  // Older versions of Node run hooks in a separate thread, so they get the source text.
  else
    nodeModule.register(
      `data:text/javascript,${encodeURIComponent(`export const resolve = ${resolveVersioned}`)}`,
    )
}

/** Must be self-contained: its source is sent to another thread. */
function resolveVersioned(specifier: string, context: { parentURL?: string }, next: Resolve) {
  const version = /[?&]v=(\d+)$/.exec(context.parentURL ?? '')?.[1]
  const pass = (resolved: Resolved): Resolved => {
    const { url } = resolved
    const isOurs = /^\.{1,2}\//.test(specifier) && url.startsWith('file:') && !url.includes('/node_modules/')
    if (version === undefined || !isOurs) return resolved
    return { ...resolved, url: `${url}${url.includes('?') ? '&' : '?'}v=${version}` }
  }
  const resolved = next(specifier, context)
  return 'then' in resolved ? resolved.then(pass) : pass(resolved)
}
