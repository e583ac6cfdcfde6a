import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

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
  const files = await bundle()
  await mkdir(TARGET, { recursive: true })
  for (const { fileName, code } of files) await replace(join(TARGET, fileName), code)
  const names = new Set(files.map(({ fileName }) => fileName))
  for (const name of await readdir(TARGET)) {
    if (name.startsWith(PART) && !names.has(name)) await rm(join(TARGET, name))
  }
  const modules = files.flatMap(({ moduleIds }) => moduleIds)
  await replace(join(TARGET, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(modules))
}

async function bundle() {
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [withoutCharsets, late, parsedJson],
    ssr: {
      noExternal: true,
      // Loaded lazily.
      external: ['bcryptjs', 'jsonwebtoken', 'pg', 'selfsigned'],
    },
    build: {
      ssr: 'src/cli/run.ts',
      write: false,
      target: 'node20.19',
      rolldownOptions: {
        // What only programs import from index.ts, such as layers, is no part of the command's start.
        treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]/, external: false, sideEffects: false }] },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: `${PART}[hash].js`,
          // Less to read at each start. Names stay, for readable stacks.
          minify: { compress: false, mangle: false, codegen: true },
          comments: false,
        },
      },
    },
  })
  if (!('output' in result)) throw new Error('vite was asked for one bundle')
  return result.output.filter((file) => file.type === 'chunk')
}

/**
 * Drops half a megabyte of tables for charsets (Shift JIS, GBK, Windows-1252, …) that body-parser brings. Bodies are
 * read as bytes here and decoded by Node.
 */
const withoutCharsets: Plugin = {
  name: 'without charsets',
  enforce: 'pre',
  load: {
    filter: { id: /iconv-lite[\\/]encodings[\\/](?:tables[\\/]|sbcs-data)/ },
    handler: () => ({ code: 'module.exports = {}', moduleType: 'js' }),
  },
}

/** Modules that are slow to load and rarely needed, and how to load them lazily: `require` is the bundler's own. */
const LATE: Readonly<Record<string, (path: string) => string>> = {
  // The MIME types of all files, which Express needs only when it sends one.
  'mime-types': membersOf,
  'mime-db': membersOf,
  // yargs lays out its help with these, which measure emoji.
  cliui: functionOf,
  'string-width': functionOf,
}

function membersOf(path: string): string {
  return `module.exports = new Proxy({}, { get: (_, name) => require(${path})[name] })`
}

function functionOf(path: string): string {
  // A module may say what `require` of it gives.
  return `export default (...args) => { const all = require(${path}); return (all.default ?? all)(...args) }`
}

const LATE_ID = '\0late '

const late: Plugin = {
  name: 'late',
  enforce: 'pre',
  resolveId: {
    filter: { id: new RegExp(`^(?:${Object.keys(LATE).join('|')})$`) },
    async handler(name, importer) {
      const found = await this.resolve(name, importer, { skipSelf: true })
      const isLateItself = /[\\/]mime-types[\\/]/.test(importer ?? '')
      return found && !isLateItself ? `${LATE_ID}${name} ${found.id}` : found
    },
  },
  load: {
    filter: { id: new RegExp(`^${LATE_ID}`) },
    handler(id) {
      const [name = '', path] = id.slice(LATE_ID.length).split(' ', 2)
      return LATE[name]?.(JSON.stringify(path))
    },
  },
}

/** V8 parses large data far faster as JSON than as code. */
const parsedJson: Plugin = {
  name: 'parsed JSON',
  enforce: 'pre',
  load: {
    filter: { id: /\.json$/ },
    async handler(path) {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')))
      return { code: `module.exports = JSON.parse(${JSON.stringify(text)})`, moduleType: 'js' }
    },
  },
}

/** Atomically, and only if it changed: a server may be starting from it. */
async function replace(path: string, contents: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => undefined)
  if (present === contents) return
  const aside = `${path}.${process.pid}`
  await writeFile(aside, contents)
  await rename(aside, path)
}

/** The licenses of all bundled packages, as they require. */
async function licensesOf(modules: readonly string[]): Promise<string> {
  const folders = new Set<string>()
  for (const module of modules) {
    const folder = /^([^\0].*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
    if (folder !== undefined) folders.add(folder)
  }
  const texts = [...folders].sort().map(async (folder) => {
    const names = await readdir(folder)
    const license = names.find((name) => /^licen[cs]e/i.test(name))
    const text = license ? await readFile(join(folder, license), 'utf8') : 'See its package.json.'
    return `${relative(join(ROOT, 'node_modules'), folder)}\n\n${text.trim()}\n`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}
