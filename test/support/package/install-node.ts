import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Another Node than the one that runs the tests. */
export interface InstalledNode {
  /** The program. */
  readonly path: string
  remove(): Promise<void>
}

/** Installs a Node from the registry, where each major version is a package. */
export async function installNode(major: number): Promise<InstalledNode> {
  const folder = await mkdtemp(join(tmpdir(), `restable-node-${major}-`))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  // The package downloads its program in an install script, which some npm settings block.
  await promisify(execFile)('npm', ['install', `node@${major}`, '--ignore-scripts=false', ...quietly], {
    cwd: folder,
  })
  return {
    path: join(folder, 'node_modules/node/bin/node'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
