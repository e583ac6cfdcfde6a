import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { oncePerRun } from './once-per-run.ts'

/** A separate project with packages from the registry. */
export interface Installed {
  /** Loads one of them as that project would. */
  readonly require: NodeJS.Require
}

/**
 * Clients that are installed together, though no test needs all of a family: however little it installs, npm takes seconds.
 */
const FAMILIES = {
  // Without refine's core, a React library of which the providers take types only.
  axios: [
    ...['axios@1', '@refinedev/simple-rest@6.0.1', '@refinedev/rest@2.1.1', '@refinedev/strapi-v4@7.0.1'],
    ...['kitsu@11.1.0', '--legacy-peer-deps'],
  ],
  react: ['ra-data-json-server@5.15.3', 'ra-data-simple-rest@5.15.3', 'jsdom@24.1.3'],
} as const

/** Axios and what is built on it, or React and what is built on it. */
export function installClients(family: keyof typeof FAMILIES): Promise<Installed> {
  return install(...FAMILIES[family])
}

/**
 * Installs packages, as npm is told, where nothing of this project can be found: once for all test files that ask for the
 * same. Fails without a registry.
 */
export async function install(...packages: readonly string[]): Promise<Installed> {
  const { folder } = await oncePerRun(packages.join(' '), async (project) => {
    await writeFile(join(project, 'package.json'), '{ "private": true }')
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts']
    await promisify(execFile)('npm', ['install', ...packages, ...quietly], { cwd: project })
  })
  return { require: createRequire(join(folder, 'project.cjs')) }
}
