import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { licensesOf } from './licenses.ts'
import { replaceFile } from './replace-file.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TARGET = join(ROOT, 'dist', 'bundle')

/** The command and the library, as CommonJS: Node loads it a tenth faster than ES modules. */
const PROGRAM = {
  bin: 'src/bin.ts',
  'codec-thread': 'src/stores/formats/codec-thread.ts',
  library: 'src/index.ts',
  run: 'src/cli/run.ts',
  'import-url': 'src/config/import-url.ts',
  'lend-express-4-paths': 'src/compat/lend-express-4-paths.ts',
}

/** For other tools: ES modules that import `./index.js`. */
const INTEGRATIONS = {
  msw: 'src/doors/msw.ts',
  playwright: 'src/doors/playwright.ts',
  vite: 'src/doors/vite.ts',
  vitest: 'src/doors/vitest.ts',
}

/** Installed by users. */
const PEERS = ['@faker-js/faker', '@playwright/test', 'msw', 'pg', 'vite', 'vitest']

/**
 * Packages that are large or slow to compile, and rarely needed: loaded by `require` when they are, each from a file of
 * its own.
 */
const LATE_PACKAGES = [
  'ajv',
  'ajv/dist/2019',
  'ajv/dist/2020',
  'ajv-formats',
  'bcryptjs',
  'body-parser',
  'cliui',
  'debug',
  'jsonwebtoken',
  'lodash',
  'lodash/cloneDeep.js',
  'lodash/toPath.js',
  'lodash-id',
  'mime-db',
  'mime-types',
  'qs',
  're2js',
  'string-width',
  'sucrase',
]

/**
 * Bundles the command and the library with everything they import into a few files: finding and loading hundreds of
 * small ones takes longer than everything else at startup, and the packages would be 47 MB to install. Layers stay
 * separate files, loaded when they are listed.
 */
export async function bundle(): Promise<void> {
  const files = (await Promise.all([bundleProgram(), bundleIntegrations(), bundlePackages()])).flat()
  await mkdir(TARGET, { recursive: true })
  for (const { fileName, code } of files) await replaceFile(join(TARGET, fileName), code)
  const names = new Set(files.map(({ fileName }) => fileName))
  for (const name of await readdir(TARGET)) {
    if (/^pa(?:rt|ckage)-/.test(name) && !names.has(name)) await rm(join(TARGET, name))
  }
  const modules = files.flatMap(({ moduleIds }) => moduleIds)
  await replaceFile(
    join(TARGET, 'THIRD-PARTY-LICENSES.txt'),
    await licensesOf(modules, join(ROOT, 'node_modules')),
  )
}

function bundleProgram() {
  return chunksOf({
    plugins: [withoutCharsets, late, latePackages, parsedJson],
    input: PROGRAM,
    preserveEntrySignatures: 'strict',
    external: PEERS,
    // Strict, as modules are.
    output: { format: 'cjs', strict: true, entryFileNames: '[name].cjs', chunkFileNames: 'part-[hash].cjs' },
    // What only programs import from index.ts, such as layers, is no part of the command's start.
    treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]/, external: false, sideEffects: false }] },
  })
}

function bundleIntegrations() {
  return chunksOf({
    plugins: [library],
    input: INTEGRATIONS,
    external: PEERS,
    output: { format: 'esm', entryFileNames: '[name].js' },
  })
}

function bundlePackages() {
  const require = createRequire(import.meta.url)
  return chunksOf({
    plugins: [withoutCharsets, oneDebug, parsedJson],
    input: Object.fromEntries(LATE_PACKAGES.map((name) => [fileNameOf(name), require.resolve(name)])),
    external: [],
    output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'part-[hash].cjs' },
  })
}

function fileNameOf(name: string): string {
  return `package-${name.replace(/\.js$/, '').replaceAll('/', '-')}`
}

interface Bundled {
  readonly plugins: readonly Plugin[]
  readonly external: string[]
  readonly input: Readonly<Record<string, string>>
  readonly output: Readonly<Record<string, string | boolean>>
  readonly treeshake?: object
  readonly preserveEntrySignatures?: 'strict'
}

async function chunksOf({ plugins, external, output, ...options }: Bundled) {
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [...plugins],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      write: false,
      target: 'node20.19',
      rolldownOptions: {
        // Most modules of CommonJS packages are never run: compiling them all takes a fifth of the start.
        optimization: { pifeForModuleWrappers: false },
        checks: { emptyImportMeta: false, mixedExports: false, pluginTimings: false },
        ...options,
        output: {
          ...output,
          // Not minified: Node shows the line of an error that nobody catches.
          minify: false,
          comments: false,
        },
      },
    },
  })
  if (!('output' in result)) throw new Error('vite was asked for one bundle')
  return result.output.filter((file) => file.type === 'chunk')
}

/** Not bundled again: there would be two of each class. */
const library: Plugin = {
  name: 'library',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^\.\.\/index\.ts$/ },
    handler: () => ({ id: './index.js', external: true }),
  },
}

/** In our own modules, `require` of a late package is that of its file. */
const latePackages: Plugin = {
  name: 'late packages',
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/ },
    handler(code, id) {
      const replaced = code.replace(REQUIRED, (_, start, name) => `${start}'./${fileNameOf(name)}.cjs')`)
      const [missing] = /\brequire(?:\.resolve)?\(['"](?!node:|\.)[^'"]*/.exec(replaced) ?? []
      if (missing) throw new Error(`${id}: ${missing}') is of no late package; add it to LATE_PACKAGES`)
      return replaced
    },
  },
}

const REQUIRED = new RegExp(`(\\brequire(?:\\.resolve)?\\()['"](${LATE_PACKAGES.join('|')})['"]\\)`, 'g')

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

/** Here, json-server keeps Express's packages from sharing their `debug`, which is the same. */
const oneDebug: Plugin = {
  name: 'one debug',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^debug$/ },
    handler: (name) => createRequire(createRequire(import.meta.url).resolve('express')).resolve(name),
  },
}

const LATE_MEMBERS = 'new Proxy({}, { get: (_, name) => load()[name] })'
const LATE_FUNCTION = '(...args) => { const all = load(); return (all.default ?? all)(...args) }'
const LATE_FUNCTIONS = 'new Proxy({}, { get: (_, name) => (...args) => load()[name](...args) })'

/** Late packages that other packages import, and how to load them when they are used. */
const LATE_IMPORTS: Readonly<Record<string, string>> = {
  // The MIME types of all files, which Express needs only when it sends one.
  'mime-types': LATE_MEMBERS,
  'mime-db': LATE_MEMBERS,
  // Express only hands its functions on: bodies are read by layers/body-parser.ts.
  'body-parser': LATE_FUNCTIONS,
  // Express's packages log to it if DEBUG is set.
  debug: '(name) => (process.env.DEBUG ? load()(name) : () => {})',
  // For query strings with brackets.
  qs: LATE_FUNCTIONS,
  // For renderers of the user's, and for dotted fields.
  'lodash/cloneDeep.js': LATE_FUNCTION,
  'lodash/toPath.js': LATE_FUNCTION,
  // yargs lays out its help with these. Compiling their pattern of all emoji takes a tenth of the start.
  cliui: LATE_FUNCTION,
  'string-width': LATE_FUNCTION,
}

const LATE_ID = '\0late '

const late: Plugin = {
  name: 'late',
  enforce: 'pre',
  resolveId: {
    filter: { id: new RegExp(`^(?:${Object.keys(LATE_IMPORTS).join('|')})$`) },
    handler: (name) => `${LATE_ID}${name}`,
  },
  load: {
    filter: { id: new RegExp(`^${LATE_ID}`) },
    handler(id) {
      const name = id.slice(LATE_ID.length)
      return [
        `import { createRequire } from 'node:module'`,
        `let loaded; const load = () => (loaded ??= createRequire(import.meta.url)('./${fileNameOf(name)}.cjs'))`,
        `const late = ${LATE_IMPORTS[name]}`,
        `export { late as default, late as 'module.exports' }`,
      ].join('\n')
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
