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
  const hooks = `import sucrase from ${JSON.stringify(sucrase)}\nexport const load = (${stripTypes})(sucrase.transform)`
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
function stripTypes(transform: Transform) {
  return async (url: string, context: object, next: Load): Promise<Loaded> => {
    const [, kind] = /^file:(?!.*\/node_modules\/).*\.([cm]?)ts(?:\?|$)/.exec(url) ?? []
    if (kind === undefined) return next(url, context)
    const { source } = await next(url, { ...context, format: 'module' })
    try {
      const { code } = transform(String(source), { transforms: ['typescript'], disableESTransforms: true })
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
