/** A name as it stands in a path. Half a character, which JSON can spell and a URL cannot, becomes the usual sign for it. */
export function segment(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD'))
}
