import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A separate project with packages from the registry. */
export interface Installed {
  /** Loads one of them as that project would. */
  readonly require: NodeJS.Require
  remove(): Promise<void>
}

/** Installs packages, as npm is told, where nothing of this project can be found. Fails without a registry. */
export async function install(...packages: readonly string[]): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'restable-client-'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts']
  await promisify(execFile)('npm', ['install', ...packages, ...quietly], { cwd: folder })
  return {
    require: createRequire(join(folder, 'project.cjs')),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
