/** Bundled as a file of its own: compiled code that was kept cannot import. */
export function importUrl(url: string): Promise<object> {
  return import(url)
}
