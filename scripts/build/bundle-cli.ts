import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TARGET = join(ROOT, 'dist', 'cli')
/** Prefix of the bundle's internal chunks. */
const PART = 'part-'

/**
 * Bundles the command and everything it needs at startup into a few files: finding and loading hundreds of small ones
 * takes longer than everything else at startup. Layers stay separate files, loaded when they are listed.
 * The bundle goes into the folder of the file it replaces, so that relative paths stay valid.
 */
export async function bundleCli(): Promise<void> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/run.ts'],
    outdir: TARGET,
    chunkNames: `${PART}[hash]`,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    plugins: [withoutCharsets, late, parsedJson],
    // Loaded lazily.
    external: ['bcryptjs', 'jsonwebtoken', 'pg', 'selfsigned'],
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // For `require` calls of CommonJS packages: only Node's built-in modules are left.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)",
    },
    // Less to read at each start. Names stay, for readable stacks.
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
  await mkdir(TARGET, { recursive: true })
  for (const { path, contents } of outputFiles) await replace(path, Buffer.from(contents))
  const parts = new Set(outputFiles.map(({ path }) => basename(path)))
  for (const name of await readdir(TARGET)) {
    if (name.startsWith(PART) && !parts.has(name)) await rm(join(TARGET, name))
  }
  await replace(join(TARGET, 'THIRD-PARTY-LICENSES.txt'), Buffer.from(await licensesOf(metafile)))
}

/**
 * Drops half a megabyte of tables for multi-byte charsets (Shift JIS, GBK, …) that body-parser brings. Bodies are read
 * as bytes here and decoded by Node.
 */
const withoutCharsets: Plugin = {
  name: 'without charsets',
  setup({ onLoad }) {
    onLoad({ filter: /iconv-lite[\\/]encodings[\\/]tables[\\/].*$/ }, () => ({ contents: '' }))
  },
}

/** Modules that are slow to load and rarely needed, and how to load them lazily: `require` is esbuild's own. */
const LATE: Readonly<Record<string, (path: string) => string>> = {
  // The MIME types of all files, which Express needs only when it sends one.
  'mime-types': membersOf,
  'mime-db': membersOf,
  // yargs uses these for its own help, which we replace; they measure emoji.
  cliui: functionOf,
  'string-width': functionOf,
}

function membersOf(path: string): string {
  return `module.exports = new Proxy({}, { get: (_, name) => require('${path}')[name] })`
}

function functionOf(path: string): string {
  return `export default (...args) => require('${path}').default(...args)`
}

const late: Plugin = {
  name: 'late',
  setup({ onResolve, onLoad }) {
    const names = new RegExp(`^(?:${Object.keys(LATE).join('|')})$`)
    onResolve({ filter: names }, ({ path, importer, namespace, resolveDir }) => {
      const isAskedByItself = namespace === 'late' || /[\\/]mime-types[\\/]/.test(importer)
      return isAskedByItself ? undefined : { path, namespace: 'late', pluginData: resolveDir }
    })
    onLoad({ filter: names, namespace: 'late' }, ({ path, pluginData }) => ({
      contents: LATE[path]?.(path) ?? '',
      resolveDir: pluginData,
    }))
  },
}

/** V8 parses large data far faster as JSON than as code. */
const parsedJson: Plugin = {
  name: 'parsed JSON',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/, namespace: 'file' }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')))
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)})` }
    })
  },
}

/** Atomically, and only if it changed: a server may be starting from it. */
async function replace(path: string, contents: Buffer): Promise<void> {
  const present = await readFile(path).catch(() => undefined)
  if (present?.equals(contents)) return
  const aside = `${path}.${process.pid}`
  await writeFile(aside, contents)
  await rename(aside, path)
}

/** The licenses of all bundled packages, as they require. */
async function licensesOf({ inputs }: Metafile): Promise<string> {
  const folders = new Set<string>()
  for (const input of Object.keys(inputs)) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
    if (folder !== undefined) folders.add(folder)
  }
  const texts = [...folders].sort().map(async (folder) => {
    const names = await readdir(join(ROOT, folder))
    const license = names.find((name) => /^licen[cs]e/i.test(name))
    const text = license ? await readFile(join(ROOT, folder, license), 'utf8') : 'See its package.json.'
    return `${relative('node_modules', folder)}\n\n${text.trim()}\n`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}
