/** Keys to remember, and the longest one: 5 MB at most. */
const MOST_NAMES = 10_000
const LONGEST_NAME = 512

/** Admits a key the second time: otherwise a scan of more than fits would evict what others request repeatedly. */
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
