import * as nodeModule from 'node:module'

interface Resolved {
  url: string
}

type Resolve = (specifier: string, context: object) => Resolved | Promise<Resolved>

let isOn = false

/**
 * From now on, a module loaded as `file.js?v=2` also gets its imports from the project as `?v=2`. Node
 * caches ES modules by URL for good, so a new URL is the only way to reload a file.
 */
export function passVersionsOn(): void {
  if (isOn) return
  isOn = true
  const registerHooks: unknown = Reflect.get(nodeModule, 'registerHooks')
  if (typeof registerHooks === 'function') registerHooks({ resolve })
  // Older versions of Node run hooks in a separate thread, so they get the source text.
  else nodeModule.register(`data:text/javascript,${encodeURIComponent(`export ${resolve}`)}`)
}

/** Must be self-contained: its source is sent to another thread. */
function resolve(specifier: string, context: { parentURL?: string }, next: Resolve) {
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
