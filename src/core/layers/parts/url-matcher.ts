import { compilePattern } from './rewrite-pattern.ts'

/** Whether URLs match a pattern of rewrite rules. */
export function urlMatcher(path: string): (url: string) => boolean {
  const pattern = compilePattern(path)
  return (url) => pattern.match(plainUrl(url)) !== undefined
}

/** As the router reads it: `/posts//1` is `/posts/1`. */
function plainUrl(url: string): string {
  const [path = '', ...query] = url.replaceAll('#', '%23').split('?')
  return [path.replace(/\/{2,}/g, '/'), ...query].join('?')
}
