import express from 'express'

/** The parts of Express's router that take paths. `use` may be called without one. */
export interface Router {
  route(path: unknown): unknown
  use(...args: readonly unknown[]): unknown
}

/**
 * Makes a router, or the prototype of all of them, accept Express 4 paths: `'*'`, `'/products/*'`,
 * `'/:id?'`, `'/users|people'`, as long as `isWanted`. Paths that Express 5 can read keep their meaning there.
 * Returns a function that undoes it.
 */
export function acceptExpress4Paths(router: Router, isWanted = () => true): () => void {
  const { route, use } = router
  const read = (path: unknown, isWhole: boolean): unknown => (isWanted() ? translate(path, isWhole) : path)
  const routeInstead: Router['route'] = function (this: Router, path) {
    return route.call(this, read(path, true))
  }
  const useInstead: Router['use'] = function (this: Router, path, ...handlers) {
    return use.call(this, read(path, false), ...handlers)
  }
  Object.assign(router, { route: routeInstead, use: useInstead })
  return () => {
    // If something has wrapped our method meanwhile, leave it.
    if (router.route === routeInstead) router.route = route
    if (router.use === useInstead) router.use = use
  }
}

function translate(path: unknown, isWhole: boolean): unknown {
  if (Array.isArray(path)) return path.map((one) => translate(one, isWhole))
  return typeof path === 'string' && !isReadable(path) ? compileExpress4Path(path, isWhole) : path
}

/** The only way to find out is to try. Express 5 treats `|` as an ordinary character. */
function isReadable(path: string): boolean {
  if (!/[*?+()[\]{}|!:]/.test(path)) return true
  if (path.includes('|')) return false
  try {
    readPath(path)
    return true
  } catch {
    return false
  }
}

// Read before anything could have changed it.
const { route: readRoute } = express.Router.prototype as unknown as Router

function readPath(path: string): void {
  readRoute.call(express.Router(), path)
}

/**
 * Compiles a path as Express 4 did: `*` is anything, `?`, `+` and parentheses are as in regular expressions,
 * and what a `*` or parentheses matched is `req.params[0]`, `[1]`, … Without `isWhole`, more may follow after a slash.
 */
function compileExpress4Path(path: string, isWhole: boolean): RegExp {
  const names = new Set<string>()
  const source = path.replace(
    TOKEN,
    (token, slash = '', dot = '', name, pattern, star = '', optional = '') => {
      if (token.startsWith('\\')) return token
      if (token === '.') return '\\.'
      if (token === '*') return '(.*)'
      if (token === '/(') return '/(?:'
      const value = pattern ? pattern.slice(1, -1).replace('*', '.*') : dot ? '[^/.]+?' : '[^/]+?'
      // Group names must be unique; a second group of the same name gets a number.
      const group = names.has(name) ? `(${value})` : `(?<${name}>${value})`
      names.add(name)
      const more = star ? '((?:[/.].+?)?)' : ''
      return `(?:${slash}${dot && '\\.'}${group}${more})${optional}`
    },
  )
  const end = isWhole ? '$' : source.endsWith('/') ? '' : '(?=/|$)'
  return new RegExp(`^${source}${source.endsWith('/') ? '?' : '/?'}${end}`, 'i')
}

/** An escaped character; a name with its slash or dot, pattern, star and question mark; a dot, a star; a group. */
const TOKEN = /\\.|(\/)?(\.)?:(\w+)(\([^()]*\))?(\*)?(\?)?|[.*]|\/\(/g
