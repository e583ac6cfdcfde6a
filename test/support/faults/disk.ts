import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PAGE = 4096

/** A small tmpfs; only root can mount one. */
export class SmallDisk {
  readonly folder: string

  /** @param size as `mount` writes it: `400k` */
  constructor(size: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'restable-disk-'))
    if (!mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.folder)) {
      rmdirSync(this.folder)
      throw new Error('No disk could be mounted')
    }
  }

  /** Whether this machine permits it. */
  static isPossible(): boolean {
    try {
      new SmallDisk('100k').remove()
      return true
    } catch {
      return false
    }
  }

  /** Leaves no free byte. */
  async fill(): Promise<void> {
    const file = await open(join(this.folder, 'balloon'), 'a')
    try {
      const fits = (size: number) => file.write(Buffer.alloc(size)).catch(() => undefined)
      // Byte by byte only to the end of a page: space may have been freed meanwhile.
      for (let bytes = PAGE; bytes === PAGE; ) {
        while (await fits(PAGE));
        for (bytes = 0; bytes < PAGE && (await fits(1)); ) bytes += 1
      }
    } finally {
      await file.close()
    }
  }

  makeRoom(): void {
    rmSync(join(this.folder, 'balloon'))
  }

  makeReadOnly(isReadOnly: boolean): void {
    if (!mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, this.folder))
      throw new Error('It cannot be remounted')
  }

  remove(): void {
    spawnSync('umount', ['-l', this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function mount(...args: readonly string[]): boolean {
  return spawnSync('mount', args).status === 0
}
