/** A string as part of a URL. A lone surrogate, which JSON can encode and a URL cannot, becomes U+FFFD. */
export function urlSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
}
