import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ModuleUse, readModule } from './support/read-module.ts'

/**
 * The rooms of src/, bottom up: the rooms, packages and modules of Node that each may import besides itself. A word names
 * all rooms that begin with it. Two rooms of one row share a floor: their files import each other, though never in a circle.
 */
const WALLS: Readonly<Record<string, string>> = {
  'core/kernel/catalogue': '',
  'core/kernel/util': 'core/kernel node:crypto node:fs node:path node:url node:worker_threads',
  'core/kernel/json': 'core/kernel',
  'core/kernel/patterns': 'core/kernel re2js node:module',
  'core/kernel/http': 'core/kernel express node:crypto node:http',
  'core/engine': 'core/kernel lodash pluralize node:crypto',
  'core/layers': 'core/kernel bcryptjs cors express jsonwebtoken morgan path-to-regexp zod HTTP',
  'core/router': 'core express lodash qs HTTP',
  stores:
    'core/kernel core/engine json5 jsonc-parser lodash lowdb papaparse pg yaml FILES node:net node:worker_threads',
  compat: 'core/kernel core/engine stores express lodash lodash-id node:module node:url',
  'wings/shapes': 'core express zod node:http',
  'wings/schemas': 'core/kernel zod',
  'wings/making': 'core/kernel core/engine wings/schemas @faker-js/faker',
  'wings/validation': 'core/kernel core/engine stores ajv ajv-formats FILES node:module',
  'wings/logic': 'core express node:async_hooks node:http node:stream node:stream/promises',
  config: 'core stores wings express zod FILES node:child_process node:module node:net node:url node:util',
  source: 'core compat stores wings config express FILES HTTP node:child_process',
  features:
    'core compat stores wings config source @fastify/busboy express pluralize selfsigned zod FILES HTTP',
  serve: 'core compat stores wings config source features compression express FILES HTTP node:child_process',
  index: 'core compat features wings config source serve',
  internals: 'core wings config features source serve',
  doors: 'index vite vitest msw @playwright/test node:crypto node:fs/promises node:path node:util',
  cli: 'index internals yargs FILES node:module node:readline node:url node:util node:vm',
  bin: 'cli node:module',
  page: 'core/kernel/catalogue core/kernel/json preact @preact/signals pluralize',
}
const FILES =
  'node:buffer node:crypto node:fs node:fs/promises node:os node:path node:timers/promises node:v8'
const HTTP =
  'node:async_hooks node:buffer node:crypto node:events node:http node:https node:module node:net node:querystring ' +
  'node:stream node:stream/promises node:timers/promises node:tls node:url node:util node:zlib'
/** Who may use `process` and `console`, and what of them. */
const GLOBALS: Readonly<Record<string, RegExp>> = {
  'core/kernel/util': /^process\.getBuiltinModule$/,
  stores: /^process\.(geteuid|kill|pid|platform)$/,
  'core/layers': /^(console\.(log|warn)|process\.(env|nextTick))$/,
  compat: /^console\.error$/,
  'core/router': /^console\.(error|warn)$/,
  'wings/logic': /^process\.nextTick$/,
  config: /^process\.(cwd|env|execPath|features)$/,
  source: /^process\.cwd$/,
  features: /^(console\.warn|process\.(cwd|env|nextTick))$/,
  serve: /^(console\.log|process\.(cwd|env|execPath|stdin|stdout))$/,
  doors: /^process\.env$/,
  cli: /./,
  bin: /^process\./,
  page: /./,
}
/** Rooms that load what a user wrote: the only ones that may import a computed name. */
const LOADERS = /^(config|source|serve)\//
const LAYERS = 'core/layers'
/** Nothing else imports the folder of a feature: with its lines there, it can be taken out. */
const NAME_FEATURES = ['features/list.ts', 'features/settings.ts', 'index.ts', 'internals.ts']
/** The service, which takes features from their list. Clock and history are what all worlds have, and requests are requests. */
const NAME_NONE = [
  'open.ts',
  'service/mount.ts',
  'service/open-service.ts',
  'service/open-features.ts',
  'service/service-parts.ts',
]
const WORDS_OF_ALL = ['import', 'clock', 'history', 'requests', 'resources', 'service']
const MOST_FILES = 25

interface Room {
  readonly name: string
  readonly floor: number
  readonly allowed: readonly string[]
  readonly globals: RegExp | undefined
}
const ROOMS: readonly Room[] = Object.entries(WALLS).flatMap(([names, words], floor) => {
  const allowed = words.replace('FILES', FILES).replace('HTTP', HTTP).split(' ')
  return names.split(' ').map((name) => ({ name, floor, allowed, globals: GLOBALS[name] }))
})

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

  it('are named for every room', () => {
    expect(new Set(files.map((file) => roomOf(file)?.name))).toEqual(new Set(ROOMS.map(({ name }) => name)))
  })

  it('of a folder of src stand together, so that no import goes up between two of these folders', () => {
    const folders = ROOMS.map(({ name }) => name.split('/')[0])
    const runs = folders.filter((folder, at) => folder !== folders[at - 1])
    expect(runs).toEqual([...new Set(folders)])
  })

  it('let no files import each other in a circle', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file, source(file))] as const))
    expect(findCircle(graph)).toBeUndefined()
    expect(findCircle(new Map([...graph, ['core/kernel/catalogue/errors.ts', ['index.ts']]]))).toContain(
      'index.ts',
    )
  })

  it('keep features so far apart that what mounts them names none', () => {
    const names = new Set(files.flatMap((file) => featureOf(file) ?? []))
    const named = new RegExp(
      `\\b(?:${[...names].filter((name) => !WORDS_OF_ALL.includes(name)).join('|')})\\b`,
      'i',
    )
    for (const file of NAME_NONE) expect(named.exec(source(`serve/${file}`))?.[0], file).toBeUndefined()
  })

  it('hold few enough files to look around in each folder', () => {
    const folders = [...new Set(files.map((file) => dirname(file)))]
    const countIn = (folder: string) => files.filter((file) => dirname(file) === folder).length
    expect(folders.filter((folder) => countIn(folder) > MOST_FILES)).toEqual([])
  })

  it.each([
    ['core/engine/x.ts', "import type { Request } from 'express'"],
    ['core/engine/x.ts', "import { type IncomingMessage } from 'node:http'"],
    ['core/engine/data/x.ts', "import '../../router/router.ts'"],
    ['core/engine/x.ts', "export * from '../layers/cors.ts'"],
    ['core/engine/x.ts', "type Config = import('../../config/config.ts').Config"],
    ['core/engine/x.ts', "import { openFile } from '../../stores/file/file-store.ts'"],
    ['stores/x.ts', 'const net = await import(`node:http`)'],
    ['stores/x.ts', "import http = require('node:http')"],
    ['stores/x.ts', 'export const load = (name: string) => import(name)'],
    ['stores/x.ts', 'process.exit(1)'],
    ['stores/x.ts', 'const { env } = process'],
    ['core/kernel/util/x.ts', "import { isRecord } from '../json/values.ts'"],
    ['core/layers/x.ts', "import { cors } from './cors.ts'"],
    ['core/layers/accounts/x.ts', "import { jwt } from '../jwt.ts'"],
    ['core/layers/x.ts', "import type { Row } from '../engine/types.ts'"],
    ['core/router/x.ts', "import { readFile } from 'node:fs/promises'"],
    ['core/router/x.ts', "import type { Shape } from '../../wings/shapes/shape.ts'"],
    ['serve/x.ts', "import { router } from '../index.ts'"],
    ['serve/x.ts', "import { launch } from '../../test/support/child/launch.ts'"],
    ['serve/x.ts', "import { clockFeature } from '../features/clock/clock.ts'"],
    ['features/clock/x.ts', "import { FaultRules } from '../faults/fault-rules.ts'"],
    ['features/x.ts', "import { faults } from './faults/faults.ts'"],
    ['config/x.ts', "import { hostedSettings } from '../features/hosted/settings.ts'"],
    ['source/x.ts', "import type { Config } from '../features/settings.ts'"],
    ['cli/x.ts', "import { start } from '../serve/start.ts'"],
    ['page/x.ts', "import type { Row } from '../core/engine/types.ts'"],
    ['somewhere/x.ts', 'export const nothing = 0'],
  ])('refuse in %s: %s', (file, text) => {
    expect(faultsOf(file, text)).toHaveLength(1)
  })

  it.each([
    ['a comment', "// import express from 'express'"],
    ['a string', 'export const text = "import express from \'express\'"'],
    ['a field named process', 'export const f = (job: { process: { exit: number } }) => job.process.exit'],
  ])('do not look at %s', (_, text) => {
    expect(faultsOf('stores/x.ts', text)).toEqual([])
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

/** The room of a file: the longest name of one that its path begins with. */
function roomOf(file: string): Room | undefined {
  const around = ROOMS.filter(({ name }) => file.startsWith(`${name}/`) || file === `${name}.ts`)
  return around.toSorted((a, b) => b.name.length - a.name.length)[0]
}

/** Once for each text: it takes long. */
function parsed(file: string, text: string): ModuleUse {
  const known = modules.get(text) ?? readModule(text, file.endsWith('.tsx') ? 'tsx' : 'ts')
  modules.set(text, known)
  return known
}

/** Every wall that a file goes through. */
function faultsOf(file: string, text: string): readonly string[] {
  const room = roomOf(file)
  if (!room) return [`src/${file} is in no room of test/architecture.test.ts`]
  const { imports, globals } = parsed(file, text)
  return [
    ...imports
      .filter((name) => !mayImport(file, room, name))
      .map((name) => `imports ${name ?? 'a computed name'}`),
    ...globals.filter((name) => !room.globals?.test(name)).map((name) => `uses ${name}`),
  ].map((fault) => `src/${file} ${fault}, but ${room.name} may use only: ${room.allowed.join(' ')}`)
}

function mayImport(file: string, room: Room, name: string | undefined): boolean {
  if (name === undefined) return LOADERS.test(file)
  if (!name.startsWith('.')) return room.allowed.includes(packageOf(name) ?? name)
  const target = posix.join(dirname(file), name)
  if (target.startsWith('../')) return target.endsWith('.json')
  // Layers stand right in their folder and do not import each other; what they share is in the folders below. Only the list
  // of layers imports them.
  if (room.name === LAYERS && dirname(target) === LAYERS) return file === `${LAYERS}/list.ts`
  const feature = featureOf(target)
  if (feature !== undefined && feature !== featureOf(file) && !NAME_FEATURES.includes(file)) return false
  const other = roomOf(target)
  if (!other || other.floor >= room.floor) return other?.floor === room.floor
  return room.allowed.some((word) => other.name === word || other.name.startsWith(`${word}/`))
}

/** The feature whose folder a file is in. */
function featureOf(file: string): string | undefined {
  return /^features\/([^/]+)\//.exec(file)?.[1]
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
