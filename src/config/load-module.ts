import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import * as nodeModule from 'node:module'
import { dirname, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../core/kernel/json/values.ts'
import { attempt } from '../core/kernel/util/attempt.ts'
import { inTime } from '../core/kernel/util/in-time.ts'
import { codeOf, versionOf } from '../stores/file/fs.ts'
import { importUrl } from './import-url.ts'
import { loadTypeScript, passVersionsOn } from './module-hooks.ts'
import { nearest } from './spelling.ts'

const require = nodeModule.createRequire(import.meta.url)

/** How long a module may take to load, and a function of it to make data. */
export const PATIENCE_MS = 60_000

/** The codes with which `require` refuses an ES module that it cannot load synchronously. */
const NOT_COMMONJS: ReadonlySet<unknown> = new Set(['ERR_REQUIRE_ASYNC_MODULE', 'ERR_REQUIRE_ESM'])

/** The version for which a file was last reloaded, so that files with a common import still share it. */
const forgottenFor = new Map<string, number>()

interface Loaded {
  /** Without it, Node would give the module as it was first. */
  readonly version: number
  /** Fingerprint of the module's files at that load; `'failed'` if it failed. */
  readonly state: string
}

/** How a module was loaded last. */
const lastLoaded = new Map<string, Loaded>()

/** `if edited`: a new one if its files are not as they were. Its data may be random, and Node keeps each version for good. */
export type Version = number | 'if edited'

let lastVersion = 0

export function nextVersion(): number {
  lastVersion += 1
  return lastVersion
}

/**
 * The exports of a module, in JavaScript or TypeScript: its default, `module.exports`, or its names. A new `version` reloads
 * it and its imports; without one, it is as it was loaded last.
 */
export async function loadModule(
  file: string,
  name: string,
  wanted: Version = 0,
  patienceMs = PATIENCE_MS,
): Promise<unknown> {
  try {
    const files = await moduleFiles(file)
    const state = await stateOf(files)
    const last = lastLoaded.get(file) ?? { version: 0, state }
    const version = wanted !== 'if edited' ? wanted : state === last.state ? 0 : nextVersion()
    lastLoaded.set(file, { ...last, state: 'failed' })
    if (version !== 0) for (const one of files) forget(one, version)
    if (files.some((one) => /\.[cm]?ts$/.test(one))) loadTypeScript()
    const exported =
      requireModule(file, version) ?? (await imported(file, version || last.version, patienceMs))
    lastLoaded.set(file, { version: version || last.version, state })
    return unwrap(exported)
  } catch (cause) {
    throw new ConfigError(`${name} ${await whyNotLoaded(file, cause)}`, { cause })
  }
}

async function stateOf(files: readonly string[]): Promise<string> {
  const versions = files.map((file) => stat(file, { bigint: true }).then(versionOf, () => ''))
  return (await Promise.all(versions)).join()
}

/** CommonJS goes through `require`, because `import` caches it for good. Undefined if the file is not CommonJS. */
function requireModule(file: string, version: number): unknown {
  if (!/\.c?js$/.test(file)) return undefined
  try {
    const module: unknown = require(file)
    return types.isModuleNamespaceObject(module) ? undefined : module
  } catch (error) {
    // Once an ES module has failed, `require` fails forever, even if the file was fixed; `import` does not.
    if (version !== 0) return undefined
    if (NOT_COMMONJS.has(codeOf(error))) return undefined
    throw error
  }
}

async function imported(file: string, version: number, patienceMs: number): Promise<unknown> {
  const url = pathToFileURL(file)
  if (version !== 0) {
    passVersionsOn()
    url.searchParams.set('v', String(version))
  }
  // It may wait for what never comes, and Node would end silently.
  const late = () => new Error(`not done after ${patienceMs / 1000} s. Check what it awaits`)
  const module = await inTime(importUrl(url.href), patienceMs, late)
  return 'default' in module ? module.default : { ...module }
}

function unwrap(exported: unknown): unknown {
  return isObject(exported) && '__esModule' in exported && 'default' in exported ? exported.default : exported
}

/** Packages stay cached: they do not change while the server runs, and some break when loaded twice. */
function forget(file: string, version: number): void {
  const loaded = require.cache[file]
  if (loaded === undefined || file.includes(`${sep}node_modules${sep}`)) return
  if (forgottenFor.get(file) === version) return
  forgottenFor.set(file, version)
  delete require.cache[file]
  for (const { id } of [...loaded.children]) forget(id, version)
  // The module that required it first would keep it, with the data that it exports.
  const siblings = loaded.parent?.children ?? []
  if (siblings.includes(loaded)) siblings.splice(siblings.indexOf(loaded), 1)
}

async function whyNotLoaded(file: string, cause: unknown): Promise<string> {
  if (!(cause instanceof Error)) return `threw ${String(cause)} while loading.`
  const where = lineOf(cause, file) || (cause instanceof SyntaxError ? await syntaxLine(file) : '')
  const line = `cannot be loaded${where}: ${cause.name}: ${cause.message.split('\n', 1)[0]}`
  const remedy = remedyFor(cause.message)
  return remedy === undefined ? line : `${line}. ${remedy}`
}

function remedyFor(message: string): string | undefined {
  if (/^(?:module|exports|require) is not defined in ES module scope/.test(message))
    return 'Use import and export default, or name the file .cjs.'
  const [, ours] = /^(define|defineConfig|refuse) is not defined/.exec(message) ?? []
  if (ours !== undefined) return `Import it: import { ${ours} } from "restable"`
  const [, missing] = /^Cannot find (?:package|module) '((?:@[\w.-]+\/)?\w[\w.-]*)/.exec(message) ?? []
  if (missing !== undefined)
    return nearest(missing, ['restable'])
      ? "Did you mean 'restable'?"
      : `Install it: npm install --save-dev ${missing}`
  return message.startsWith('Cannot find module') ? 'Check the path.' : undefined
}

/** Where an error in the user's code came from: syntax errors have `file:line` before the stack, others in it. */
export function lineOf(cause: unknown, file: string): string {
  const stack = cause instanceof Error ? (cause.stack ?? '') : ''
  const frames = [
    ...stack.matchAll(/^ +at (?:.*\()?(?:file:\/\/)?(\/.+?|[A-Z]:.+?)(?:\?v=\d+)?:(\d+):\d+\)?$/gm),
  ]
  const [, path, line] = AT_TOP.exec(stack) ?? frames.find(([, path = '']) => isBeside(path, file)) ?? []
  return shownLine(path, line)
}

const AT_TOP = /^(?:file:\/\/)?(.+?)(?:\?v=\d+)?:(\d+)\n/

function shownLine(path: string | undefined, line = ''): string {
  return path === undefined ? '' : ` (${relative(process.cwd(), path)}, line ${line})`
}

/** Node 20 says only on the command line where the syntax of an ES module is wrong. */
async function syntaxLine(file: string): Promise<string> {
  for (const one of await moduleFiles(file)) {
    if (!/\.m?js$/.test(one)) continue
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['--check', one], (_error, _stdout, stderr) => resolve(stderr))
    })
    const [, path, line] = AT_TOP.exec(said) ?? []
    if (path !== undefined) return shownLine(path, line)
  }
  return ''
}

function isBeside(path: string, file: string): boolean {
  return path.startsWith(dirname(file) + sep) && !path.includes(`${sep}node_modules${sep}`)
}

const RELATIVE_IMPORT = /\b(?:from|import|require)\b\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n?#]+)/g

/** A module and what it imports from the project, by scanning the text. Missing files are included: they may appear. */
export async function moduleFiles(entry: string): Promise<readonly string[]> {
  const files = new Set<string>()
  const walk = async (file: string): Promise<void> => {
    if (files.has(file) || file.includes(`${sep}node_modules${sep}`)) return
    files.add(file)
    if (!/\.[cm]?[jt]sx?$/.test(file)) return
    const text = await readFile(file, 'utf8').catch(() => '')
    const imports = [...text.matchAll(RELATIVE_IMPORT)].map((match) => match[2] ?? '')
    await Promise.all(imports.map((name) => walk(locate(resolve(dirname(file), name)))))
  }
  await walk(locate(resolve(entry)))
  return [...files]
}

/** TypeScript files import each other by the names of their compiled output. */
function locate(path: string): string {
  return resolveModule(path) ?? resolveModule(path.replace(/\.([cm]?)js$/, '.$1ts')) ?? path
}

/** Resolves a path the way Node does: the file, the file without its extension, the main file of a folder. */
export function resolveModule(path: string): string | undefined {
  return attempt(() => require.resolve(path))
}
