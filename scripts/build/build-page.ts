import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TARGET = join(ROOT, 'dist', 'page')

/** Builds the page at `/` into dist/page. */
export async function buildPage(): Promise<void> {
  // Built aside and moved in, so that a running server never finds half a page.
  const aside = `${TARGET}.${process.pid}`
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(ROOT, 'src', 'page'),
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
  await rm(TARGET, { recursive: true, force: true })
  await rename(aside, TARGET)
}
