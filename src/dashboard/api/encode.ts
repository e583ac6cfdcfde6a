/** A string as part of a URL. Lone surrogates, which a URL cannot contain, become U+FFFD. */
export function encode(text: string | number): string {
  return encodeURIComponent(String(text).replace(/\p{Surrogate}/gu, '\uFFFD'))
}
