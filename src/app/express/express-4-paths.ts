import express from 'express'

/** Express's router, as far as paths go into it. `use` may be called without a path. */
export interface Router {
  route(path: unknown): unknown
  use(...args: readonly unknown[]): unknown
}

/**
 * Makes a router, or the prototype of all of them, read the paths of Express 4: `'*'`, `'/products/*'`,
 * `'/:id?'`, `'/users|people'`, as long as they are wanted. What Express 5 can read means what it means there.
 * The function it returns undoes that.
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
    // Somebody may have wrapped ours meanwhile: theirs stays.
    if (router.route === routeInstead) router.route = route
    if (router.use === useInstead) router.use = use
  }
}

function translate(path: unknown, isWhole: boolean): unknown {
  if (Array.isArray(path)) return path.map((one) => translate(one, isWhole))
  return typeof path === 'string' && !isReadable(path) ? compileExpress4Path(path, isWhole) : path
}

/** Express 5 has no way to ask but to try. It takes `|` for a character like any other. */
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

// Taken before anybody could have changed it.
const { route: readRoute } = express.Router.prototype as unknown as Router

function readPath(path: string): void {
  readRoute.call(express.Router(), path)
}

/**
 * The expression that Express 4 made of a path: `*` is anything, `?`, `+` and brackets are as in regular expressions,
 * and what a `*` or brackets matched is `req.params[0]`, `[1]`, … Without `isWhole` the path may go on after a slash.
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
      // A name can be given to one group only; the second one of that name gets a number.
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
