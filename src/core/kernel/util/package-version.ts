import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_FOLDER } from '../kernel/util/package-folder.ts'

export function packageVersion(): string {
<<<<<<< c210b8f2dad5a88b1950efef08bbd9edb7f95a22:src/core/kernel/util/package-version.ts
  const manifest: { version?: unknown } = createRequire(import.meta.url)('../../../../package.json')
=======
  const manifest: { version?: unknown } = JSON.parse(
    readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8'),
  )
>>>>>>> e5afed1c028eb446c45ef6bfa5e45d1ae12ed69d:src/core/serve/package-version.ts
  return String(manifest.version)
}
