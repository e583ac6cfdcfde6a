import * as nodeModule from 'node:module'

interface Resolved {
  url: string
}

type Resolve = (specifier: string, context: object) => Resolved | Promise<Resolved>

let isOn = false

/**
 * From now on, a module loaded as `file.js?v=2` gets what it imports from the project as `?v=2`, too. Node
 * keeps an ES module for ever under its address, so another address is the only way to read a file again.
 */
export function passVersionsOn(): void {
  if (isOn) return
  isOn = true
  const registerHooks: unknown = Reflect.get(nodeModule, 'registerHooks')
  if (typeof registerHooks === 'function') registerHooks({ resolve })
  // Older Nodes run hooks in a thread of their own, so what they get is its text.
  else nodeModule.register(`data:text/javascript,${encodeURIComponent(`export ${resolve}`)}`)
}

/** Needs nothing from outside of itself. */
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
