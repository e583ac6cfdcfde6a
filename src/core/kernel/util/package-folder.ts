import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of our package.json: some folders above the sources, and above the bundle. */
export const PACKAGE_FOLDER = findPackage(dirname(fileURLToPath(import.meta.url)))

function findPackage(folder: string): string {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : findPackage(parent)
}
