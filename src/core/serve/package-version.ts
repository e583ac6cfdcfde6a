import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_FOLDER } from '../kernel/util/package-folder.ts'

export function packageVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(
    readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8'),
  )
  return String(manifest.version)
}
