/** Files by the hash of their content, wherever they are: on disk, in memory or in a database. */
export interface KeptFiles {
  /** The files of one request. */
  receive(): Received
  find(hash: string): Promise<FoundFile | undefined>
  /** Called before a change is saved that takes a name from these files. */
  markLeft(hashes: ReadonlySet<string>): Promise<void>
  /** All that are marked. */
  left(): Promise<ReadonlySet<string>>
  /** Takes marks away, and the files of those that go. @param isNamed whether something has named it since */
  settle(
    left: ReadonlySet<string>,
    going: ReadonlySet<string>,
    isNamed: (hash: string) => boolean,
  ): Promise<void>
  /** Whether no other server has them. */
  isAlone(): Promise<boolean>
  close(): void
}

/** Files that outlive the server. */
export interface DurableFiles extends KeptFiles {
  /** Finishes or removes what killed servers have left. @param isNamed whether a row names a file */
  recover(isNamed: (hash: string) => boolean): Promise<void>
  hashes(): Promise<readonly string[]>
}

/** Either kept or dropped in the end. */
export interface Received {
  begin(): Promise<Arriving>
  /** Resolves once all that is finished is durable. */
  flush(): Promise<void>
  keep(): Promise<void>
  drop(): Promise<void>
}

export interface Arriving {
  write(chunk: Uint8Array): Promise<void>
  finish(hash: string): Promise<void>
}

export interface FoundFile {
  readonly size: number
  /** Bytes from `start` up to, but not including, `end`. Called once: ends the use of the file. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
  head(): Promise<Uint8Array>
  close(): Promise<void>
}
