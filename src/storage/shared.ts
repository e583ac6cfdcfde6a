/** What all servers of the same data share, beside the data. */
export interface Shared {
  /** Random, and the same for all of them as long as the data is there. */
  readonly secret: string
  /** What any of them keeps by this name. */
  read(name: string): Promise<string | undefined>
  /** Keeps another string, or none, in the place of `before`; false if that is gone. Of very many, the oldest go. */
  swap(name: string, before: string | undefined, after: string | undefined): Promise<boolean>
}
