/** Names that are remembered, and how long one may be: 5 MB at most. */
const MOST_NAMES = 10_000
const LONGEST_NAME = 512

/**
 * Lets in what comes for the second time. Whoever walks through more than a cache has room for would else push out all
 * that others ask for again and again, and find nothing of his own either.
 */
export class AdmissionFilter {
  readonly #names = new Set<string>()

  admits(name: string): boolean {
    if (name.length > LONGEST_NAME) return false
    if (this.#names.delete(name)) return true
    if (this.#names.size >= MOST_NAMES) this.#names.clear()
    this.#names.add(name)
    return false
  }
}
