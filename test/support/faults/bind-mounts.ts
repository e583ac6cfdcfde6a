import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Bind mounts of files and folders, as Docker creates them; only root can. */
export class BindMounts {
  readonly folder = mkdtempSync(join(tmpdir(), 'restable-binds-'))
  readonly #points: string[] = []

  /** Whether this machine permits them. */
  static isPossible(): boolean {
    const mounts = new BindMounts()
    try {
      writeFileSync(join(mounts.folder, 'a'), '')
      mounts.addFile('a', 'b')
      return true
    } catch {
      return false
    } finally {
      mounts.remove()
    }
  }

  /** Mounts the file at another path of the folder; returns that path. */
  addFile(from: string, to: string): string {
    const point = join(this.folder, to)
    mkdirSync(dirname(point), { recursive: true })
    writeFileSync(point, '')
    return this.#mount(join(this.folder, from), point)
  }

  addFolder(from: string, to: string): string {
    const point = join(this.folder, to)
    mkdirSync(point, { recursive: true })
    return this.#mount(join(this.folder, from), point)
  }

  remove(): void {
    for (const point of this.#points.splice(0).reverse()) spawnSync('umount', ['-l', point])
    rmSync(this.folder, { recursive: true, force: true })
  }

  #mount(from: string, point: string): string {
    if (spawnSync('mount', ['--bind', from, point]).status !== 0) throw new Error('It cannot be mounted')
    this.#points.push(point)
    return point
  }
}
