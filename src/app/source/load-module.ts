import { createRequire } from 'node:module'
import { dirname, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { moduleFiles } from './module-files.ts'
import { passVersionsOn } from './versioned-imports.ts'

const require = createRequire(import.meta.url)

/** The codes with which `require` refuses an ES module that it cannot load synchronously. */
const NOT_COMMONJS: ReadonlySet<unknown> = new Set(['ERR_REQUIRE_ASYNC_MODULE', 'ERR_REQUIRE_ESM'])

/** The version for which a file was last reloaded: files with a common import still share it. */
const forgottenFor = new Map<string, number>()

let lastVersion = 0

/** A version not used before. */
export function nextVersion(): number {
  lastVersion += 1
  return lastVersion
}

/** What a module exports: its default, `module.exports`, or its names. A new `version` reloads it and its imports. */
export async function loadModule(file: string, name: string, version = 0): Promise<unknown> {
  try {
    if (version !== 0) for (const one of await moduleFiles(file)) forget(one, version)
    const required = requireModule(file, version)
    if (required !== undefined) return unwrap(required)
    const module = await importModule(file, version)
    return 'default' in module ? unwrap(module.default) : { ...module }
  } catch (cause) {
    throw new ConfigError(`${name} ${whyNotLoaded(file, cause)}`, { cause })
  }
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
    if (isObject(error) && 'code' in error && NOT_COMMONJS.has(error.code)) return undefined
    throw error
  }
}

function importModule(file: string, version: number): Promise<object> {
  const url = pathToFileURL(file)
  if (version !== 0) {
    passVersionsOn()
    url.searchParams.set('v', String(version))
  }
  return import(url.href)
}

function unwrap(exported: unknown): unknown {
  return isObject(exported) && '__esModule' in exported && 'default' in exported ? exported.default : exported
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Packages stay cached: they do not change while the server runs, and some break when loaded twice. */
function forget(file: string, version: number): void {
  const loaded = require.cache[file]
  if (loaded === undefined || file.includes(`${sep}node_modules${sep}`)) return
  if (forgottenFor.get(file) === version) return
  forgottenFor.set(file, version)
  delete require.cache[file]
  for (const { id } of loaded.children) forget(id, version)
}

function whyNotLoaded(file: string, cause: unknown): string {
  if (!(cause instanceof Error)) return `threw ${String(cause)} while loading.`
  const code: unknown = 'code' in cause ? cause.code : undefined
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(file)) {
    return `is TypeScript, which Node ${process.versions.node} cannot load. Use Node 22.18 or later, or JavaScript.`
  }
  return `cannot be loaded${lineOf(cause, file)}: ${cause.name}: ${cause.message.split('\n', 1)[0]}`
}

/** Where an error in the user's code came from: syntax errors have `file:line` before the stack, others in it. */
export function lineOf(cause: unknown, file: string): string {
  const stack = cause instanceof Error ? (cause.stack ?? '') : ''
  const frames = [
    ...stack.matchAll(/^ +at (?:.*\()?(?:file:\/\/)?(\/.+?|[A-Z]:.+?)(?:\?v=\d+)?:(\d+):\d+\)?$/gm),
  ]
  const [, path, line] =
    /^(?:file:\/\/)?(.+?)(?:\?v=\d+)?:(\d+)\n/.exec(stack) ??
    frames.find(([, path = '']) => isBeside(path, file)) ??
    []
  return path === undefined ? '' : ` (${relative(process.cwd(), path)}, line ${line})`
}

function isBeside(path: string, file: string): boolean {
  return path.startsWith(dirname(file) + sep) && !path.includes(`${sep}node_modules${sep}`)
}
