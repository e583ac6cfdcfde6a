import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STAMP = join(ROOT, 'dist', '.built-from')
/** Written last, beside dist/. */
const LAST = join(ROOT, 'lib')
const FOLDERS = ['src', 'scripts/build']
const FILES = [
  'scripts/build.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]

/** Builds unless dist/ was built from what the sources are now. */
export async function unlessUpToDate(build: () => Promise<void>): Promise<boolean> {
  const inputs = await hashInputs()
  const built = await readFile(STAMP, 'utf8').catch(() => undefined)
  if (built === inputs && (await stat(LAST).catch(() => undefined))) return false
  await rm(STAMP, { force: true })
  await build()
  await writeFile(STAMP, inputs)
  return true
}

async function hashInputs(): Promise<string> {
  const listed = FOLDERS.map(async (folder) => {
    const names = await readdir(join(ROOT, folder), { recursive: true })
    return names.filter(isSource).map((name) => join(folder, name))
  })
  const hash = createHash('sha256')
  for (const file of [...(await Promise.all(listed)).flat(), ...FILES].sort()) {
    hash.update(`${file}\0`).update(await readFile(join(ROOT, file)))
  }
  return hash.digest('hex')
}

/** Neither a README nor the screenshot, which is made from the page, is part of what is built. */
function isSource(name: string): boolean {
  return /\.(?!md$|png$)\w+$/.test(name)
}
