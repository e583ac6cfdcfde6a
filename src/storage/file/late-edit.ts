import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { versionOf } from './fs.ts'
import { readOpen, retryRead } from './regular-file.ts'

/**
 * What another program wrote into a file while our save replaced it. It counts as the file's contents until a save has
 * succeeded: the version that replaced it contains writes that may yet be refused.
 */
export class LateEdit {
  readonly #name: string
  readonly #parse: (bytes: Buffer) => Promise<unknown>
  /** In the file that our save is replacing. */
  #found: Buffer | undefined
  #kept: { readonly bytes: Buffer; readonly version: string } | undefined

  constructor(name: string, parse: (bytes: Buffer) => Promise<unknown>) {
    this.#name = name
    this.#parse = parse
  }

  /** With the version that replaced it. */
  get kept(): { readonly bytes: Buffer; readonly version: string } | undefined {
    return this.#kept
  }

  /** Whether the replaced file has one. What is incomplete even after a moment is not worth undoing a complete save for. */
  async isIn(old: FileHandle, expected: string | null | undefined): Promise<boolean> {
    this.#found = undefined
    if (versionOf(await old.stat({ bigint: true })) === expected) return false
    const edited = await retryRead(async () => {
      const { bytes } = await readOpen(old, this.#name)
      await this.#parse(bytes)
      return bytes
    }).catch(() => null)
    this.#found = edited ?? undefined
    return edited !== null
  }

  async keep(old: FileHandle, written: BigIntStats): Promise<void> {
    const bytes = this.#found ?? (await readOpen(old, this.#name)).bytes
    this.#kept = { bytes, version: versionOf(written) }
  }

  forget(): void {
    this.#kept = undefined
  }
}
