import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const Lock = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })

/** A package that is not inside another. */
const OUTER = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/

/**
 * Puts what this package depends on into a project, as it is installed here: npm then does not have to unpack it. It removes
 * what the package does not name. Types are left to npm: we hold those of Node back, and a project gets the newest.
 */
export async function linkDependencies(root: string, project: string): Promise<void> {
  const { packages } = Lock.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')))
  const folders = new Map<string, string[]>()
  for (const [path, { dev }] of Object.entries(packages)) {
    const name = OUTER.exec(path)?.[1]
    if (name === undefined || dev || name.startsWith('@types/')) continue
    const folder = join(project, dirname(path))
    folders.set(folder, [...(folders.get(folder) ?? []), join(root, path)])
  }
  for (const [folder, found] of folders) {
    await mkdir(folder, { recursive: true })
    await linkInto(folder, found)
  }
}

/** Hard links, since npm never writes into a file: or copies, where the folder is on another disk. */
export async function linkInto(folder: string, paths: readonly string[]): Promise<void> {
  const copy = (flags: string) => promisify(execFile)('cp', [flags, ...paths, folder])
  await copy('-Rl').catch(() => copy('-Rf'))
}
