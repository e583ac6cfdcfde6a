import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = join(ROOT, 'src')
const TARGET = join(ROOT, 'dist', 'dashboard')
const STAMP = '.built-from'
/** The page, and what it may import (test/architecture.test.ts). */
const SHARED = ['dashboard', 'catalogue', 'json']

/** Builds the page at `/` into dist/dashboard, unless it is up to date. */
export async function buildDashboard(): Promise<void> {
  const stamp = await hashSources()
  const built = await readFile(join(TARGET, STAMP), 'utf8').catch(() => undefined)
  if (built === stamp) return

  // Built aside and moved in, so that a running server never finds half a page.
  const aside = `${TARGET}.${process.pid}`
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(SOURCES, 'dashboard'),
    base: './',
    logLevel: 'warn',
    build: {
      outDir: aside,
      emptyOutDir: true,
      assetsDir: '__dashboard',
      assetsInlineLimit: 0,
      modulePreload: false,
      target: 'es2023',
    },
  })
  await writeFile(join(aside, STAMP), stamp)
  await rm(TARGET, { recursive: true, force: true })
  await rename(aside, TARGET)
}

/** Hashes everything the build depends on: the page, the modules it shares with the server, and the tools. */
async function hashSources(): Promise<string> {
  const folders = SHARED.map((name) => readdir(join(SOURCES, name), { recursive: true, withFileTypes: true }))
  const entries = (await Promise.all(folders)).flat().filter(isSource)
  const files = [
    ...entries.map((entry) => join(entry.parentPath, entry.name)),
    join(ROOT, 'package-lock.json'),
    fileURLToPath(import.meta.url),
  ].sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.slice(ROOT.length)}\0`).update(await readFile(file))
  return hash.digest('hex')
}

/** The screenshot is made from the page, not the other way around, and a README changes nothing. */
function isSource(entry: Dirent): boolean {
  return entry.isFile() && !/\.(png|md)$/.test(entry.name)
}
