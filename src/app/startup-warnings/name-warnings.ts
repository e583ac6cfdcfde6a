import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { foldersOf } from '../defaults.ts'

/** What these names lead to, whatever the data holds. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['', 'the page'],
  ['index.html', 'the page'],
  ['db', 'the whole database'],
  ['__dashboard', 'part of the page'],
  ['__events', 'the event stream'],
  ['__page', 'the page'],
  ['__rules', 'the rewrite rules'],
  ['__service', 'the description of this server'],
  ['__snapshots__', 'the snapshots'],
])

/** Endpoints that data of the same name takes precedence over. */
const HIDDEN: ReadonlyMap<string, string> = new Map([
  ['health-check', 'the health check'],
  ['stats', 'the statistics'],
])

/** Warnings about names that are not served as one would expect: one line each, with what to do. */
export function remarksOnNames(config: Config, names: readonly string[]): readonly string[] {
  if (config.hosted) return []
  return names.flatMap((name) => remarkOn(config, name) ?? [])
}

/** The first warning is enough: renaming solves the others too. */
function remarkOn(config: Config, name: string): string | undefined {
  if (!name.isWellFormed())
    return `"${name}" has half a surrogate pair in its name, which no URL can have. Rename it.`
  const path = `/${encodeURIComponent(name)}`
  const taken = TAKEN.get(name.toLowerCase())
  if (taken) return `"${name}": GET ${path} returns ${taken}, not this resource. Rename it.`
  const hidden = HIDDEN.get(name)
  if (hidden)
    return `"${name}": GET ${path} returns this resource instead of ${hidden}. Rename it to have both.`
  if (name === 'login' && config.middlewares.includes('jwt')) {
    return `"login": with the jwt layer on, POST /login signs in and adds no row here. Rename it.`
  }
  const file = foldersOf(config.static)
    .map((folder) => fileInFront(folder, name))
    .find((one) => one !== undefined)
  if (file) return `"${name}": GET ${path} returns ${file}, not this resource. Rename one of them.`
  if (/\s/.test(name))
    return `"${name}" has a space in its name, so its path is ${path}. Rename it for a simpler path.`
  return undefined
}

/** The static file with this name, if any. Dotfiles are not served. */
function fileInFront(folder: string, name: string): string | undefined {
  if (name.startsWith('.') || name.includes('\0')) return undefined
  const path = join(folder, name)
  return statSync(path, { throwIfNoEntry: false }) && path
}
