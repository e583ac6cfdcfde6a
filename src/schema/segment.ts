/** A name as a path segment. Lone surrogates, which a URL cannot contain, become U+FFFD. */
export function segment(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD'))
}
