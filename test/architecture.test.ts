import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ModuleUse, readModule } from './support/read-module.ts'

/** What each folder of src/ may import besides itself: folders above it, packages, and modules of Node. */
const WALLS: Readonly<Record<string, string>> = {
  catalogue: '',
  util: 'catalogue node:crypto node:worker_threads',
  json: 'catalogue util',
  patterns: 'util re2js node:module',
  shape: 'json zod',
  http: 'catalogue util express node:crypto node:http',
  storage:
    'catalogue util json patterns json5 jsonc-parser lodash lowdb papaparse pg pluralize yaml FILES node:net node:worker_threads',
  resources: 'catalogue util json shape patterns storage ajv ajv-formats zod FILES node:module',
  layers:
    'catalogue util json patterns http bcryptjs cors express jsonwebtoken morgan path-to-regexp zod HTTP',
  schema: 'catalogue util json shape storage layers pluralize zod',
  grow: 'catalogue util json patterns schema @faker-js/faker',
  router: 'catalogue util json shape http storage resources layers express lodash lodash-id qs HTTP',
  endpoints: 'catalogue util json http storage layers express node:module',
  logic:
    'catalogue util json http storage layers router express node:async_hooks node:http node:stream node:stream/promises',
  app: 'catalogue util json shape http storage resources layers schema grow router endpoints logic compression express selfsigned zod FILES HTTP node:child_process',
  index: 'catalogue util storage resources layers schema router logic app',
  internals: 'catalogue logic app',
  entries: 'index vite vitest msw @playwright/test node:crypto',
  cli: 'index internals yargs FILES node:module node:readline node:url node:util node:vm',
  bin: 'cli node:module',
  dashboard: 'catalogue json preact @preact/signals pluralize',
}
const FILES =
  'node:buffer node:crypto node:fs node:fs/promises node:os node:path node:timers/promises node:v8'
const HTTP =
  'node:async_hooks node:buffer node:crypto node:events node:http node:https node:module node:net node:querystring ' +
  'node:stream node:stream/promises node:timers/promises node:tls node:url node:util node:zlib'
/** Who may use `process` and `console`, and what of them. */
const GLOBALS: Readonly<Record<string, RegExp>> = {
  util: /^process\.getBuiltinModule$/,
  storage: /^process\.(geteuid|kill|pid|platform)$/,
  layers: /^(console\.(log|warn)|process\.(env|nextTick))$/,
  router: /^console\.(error|warn)$/,
  logic: /^process\.nextTick$/,
  app: /^(console\.log|process\.(cwd|env|execPath|features|stdin|stdout))$/,
  cli: /./,
  bin: /^process\./,
  dashboard: /./,
}
const MOST_FILES = 25

const SRC = new URL('../src/', import.meta.url).pathname
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.[cm]?tsx?$/.test(file))
const source = (file: string) => readFileSync(join(SRC, file), 'utf8')
const modules = new Map<string, ModuleUse>()

describe('the walls', () => {
  it('stand around every file', () => {
    expect(files.flatMap((file) => faultsOf(file, source(file)))).toEqual([])
  })

  it('are named for every folder, bottom up', () => {
    const names = Object.keys(WALLS)
    expect(new Set(files.map(folderOf))).toEqual(new Set(names))
    for (const [at, name] of names.entries())
      expect(
        allowedIn(name).filter((other) => names.indexOf(other) >= at),
        name,
      ).toEqual([])
  })

  it('let no files import each other in a circle', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file, source(file))] as const))
    expect(findCircle(graph)).toBeUndefined()
    expect(findCircle(new Map([...graph, ['catalogue/errors.ts', ['index.ts']]]))).toContain('index.ts')
  })

  it('hold few enough files to look around in each folder', () => {
    const folders = [...new Set(files.map((file) => dirname(file)))]
    const countIn = (folder: string) => files.filter((file) => dirname(file) === folder).length
    expect(folders.filter((folder) => countIn(folder) > MOST_FILES)).toEqual([])
  })

  it.each([
    ['storage/x.ts', "import type { Request } from 'express'"],
    ['storage/x.ts', "import { type IncomingMessage } from 'node:http'"],
    ['storage/data/x.ts', "import '../../router/router.ts'"],
    ['storage/x.ts', "export * from '../layers/cors.ts'"],
    ['storage/x.ts', "type Config = import('../app/config/config.ts').Config"],
    ['storage/x.ts', 'const net = await import(`node:http`)'],
    ['storage/x.ts', "import http = require('node:http')"],
    ['storage/x.ts', 'export const load = (name: string) => import(name)'],
    ['storage/x.ts', 'process.exit(1)'],
    ['storage/x.ts', 'const { env } = process'],
    ['layers/x.ts', "import { cors } from './cors.ts'"],
    ['layers/accounts/x.ts', "import { jwt } from '../jwt.ts'"],
    ['layers/x.ts', "import type { Row } from '../storage/types.ts'"],
    ['router/x.ts', "import { readFile } from 'node:fs/promises'"],
    ['app/x.ts', "import { router } from '../index.ts'"],
    ['app/x.ts', "import { launch } from '../../test/support/child/launch.ts'"],
    ['cli/x.ts', "import { start } from '../app/start.ts'"],
    ['dashboard/x.ts', "import type { Row } from '../storage/types.ts'"],
    ['somewhere/x.ts', 'export const nothing = 0'],
  ])('refuse in %s: %s', (file, text) => {
    expect(faultsOf(file, text)).toHaveLength(1)
  })

  it.each([
    ['a comment', "// import express from 'express'"],
    ['a string', 'export const text = "import express from \'express\'"'],
    ['a field named process', 'export const f = (job: { process: { exit: number } }) => job.process.exit'],
  ])('do not look at %s', (_, text) => {
    expect(faultsOf('storage/x.ts', text)).toEqual([])
  })
})

describe('the packages', () => {
  const named = z.record(z.string(), z.string())
  const { devDependencies, peerDependencies } = z
    .object({ devDependencies: named, peerDependencies: named })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))

  // Bundled with the program, or installed by the user: test/package.slow.test.ts looks at what is left to install.
  it('that files import are named', () => {
    const isNamed = (name: string) => name in devDependencies || name in peerDependencies
    const unnamed = files.flatMap((file) => {
      const packages = parsed(file, source(file)).imports.flatMap((name) => packageOf(name ?? '') ?? [])
      return packages.filter((name) => !isNamed(name)).map((name) => `src/${file} imports ${name}`)
    })
    expect(unnamed).toEqual([])
  })
})

/** The folder right in src/; of a file that stands there itself, its name. */
function folderOf(file: string): string {
  return file.split(/[./]/)[0] ?? ''
}

function allowedIn(folder: string): readonly string[] {
  return (WALLS[folder] ?? '').replace('FILES', FILES).replace('HTTP', HTTP).split(' ')
}

/** Once for each text: it takes long. */
function parsed(file: string, text: string): ModuleUse {
  const known = modules.get(text) ?? readModule(text, file.endsWith('.tsx') ? 'tsx' : 'ts')
  modules.set(text, known)
  return known
}

/** Every wall that a file goes through. */
function faultsOf(file: string, text: string): readonly string[] {
  const folder = folderOf(file)
  if (WALLS[folder] === undefined) return [`src/${folder} has no row in test/architecture.test.ts`]
  const { imports, globals } = parsed(file, text)
  return [
    ...imports.filter((name) => !mayImport(file, name)).map((name) => `imports ${name ?? 'a computed name'}`),
    ...globals.filter((name) => !GLOBALS[folder]?.test(name)).map((name) => `uses ${name}`),
  ].map((fault) => `src/${file} ${fault}, but ${folder} may use only: ${WALLS[folder]}`)
}

function mayImport(file: string, name: string | undefined): boolean {
  const folder = folderOf(file)
  // Only the app loads what a user wrote.
  if (name === undefined) return folder === 'app'
  const allowed = allowedIn(folder)
  if (!name.startsWith('.')) return allowed.includes(packageOf(name) ?? name)
  const target = posix.join(dirname(file), name)
  if (target.startsWith('../')) return target.endsWith('.json')
  // Layers stand right in their folder and do not import each other; what they share is in the folders below. Only the list
  // of layers imports them.
  if (folder === 'layers' && dirname(target) === 'layers') return file === 'layers/list.ts'
  return folderOf(target) === folder || allowed.includes(folderOf(target))
}

function packageOf(name: string): string | undefined {
  return /^(?!node:)(?:@[^/]+\/)?[^./][^/]*/.exec(name)?.[0]
}

/** The files that a file imports, by their paths from src/. */
function importsOf(file: string, text: string): readonly string[] {
  const { imports } = parsed(file, text)
  return imports.flatMap((name) => (name?.startsWith('.') ? posix.join(dirname(file), name) : []))
}

/** The first circle among files that import each other, in its order. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  for (const start of graph.keys()) {
    const circle = walk(start, [])
    if (circle) return circle
  }
  return undefined

  function walk(file: string, path: readonly string[]): readonly string[] | undefined {
    const at = path.indexOf(file)
    if (at >= 0) return [...path.slice(at), file]
    if (done.has(file)) return undefined
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next, [...path, file])
      if (circle) return circle
    }
    done.add(file)
    return undefined
  }
}
