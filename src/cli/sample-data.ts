import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../index.ts'
import { PACKAGE_FOLDER } from '../internals.ts'

const FILE = 'data/db.json'

/** The line about the sample data of this repository, which is in git, where changes are saved to it. */
export function aboutSampleData({ source, persist, readOnly }: Config): string | undefined {
  if (!persist || readOnly || typeof source !== 'string') return undefined
  const sample = join(PACKAGE_FOLDER, FILE)
  // npm finds the generator from here, and a package has none.
  const isHere = resolve(source) === sample && resolve(FILE) === sample
  return isHere && existsSync(join(PACKAGE_FOLDER, 'scripts/generate.ts'))
    ? `Changes are saved to ${FILE}; npm run generate -- --seed 2026 makes it as it was, byte for byte`
    : undefined
}
