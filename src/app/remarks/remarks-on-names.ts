import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { PUBLIC } from '../defaults.ts'

/** What answers under these names, whatever the data holds. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['', 'the page'],
  ['index.html', 'the page'],
  ['db', 'the whole database'],
  ['__dashboard', 'a part of the page'],
  ['__events', 'the stream of events'],
  ['__page', 'the page'],
  ['__rules', 'the rewrite rules'],
  ['__service', 'what runs here'],
  ['__snapshots__', 'the snapshots'],
])

/** What gives way to data of the same name. */
const HIDDEN: ReadonlyMap<string, string> = new Map([
  ['health-check', 'the health check'],
  ['stats', 'the statistics'],
])

/** Names of collections and objects that are not served as one would think: one line each, with what to do. */
export function remarksOnNames(config: Config, names: readonly string[]): readonly string[] {
  if (config.hosted) return []
  return names.flatMap((name) => remarkOn(config, name) ?? [])
}

/** The first is enough: whoever renames it is rid of the others. */
function remarkOn(config: Config, name: string): string | undefined {
  const path = `/${encodeURIComponent(name)}`
  const taken = TAKEN.get(name.toLowerCase())
  if (taken) return `"${name}": GET ${path} answers with ${taken}, not with this resource. Rename it.`
  const hidden = HIDDEN.get(name)
  if (hidden)
    return `"${name}": GET ${path} answers with this resource instead of ${hidden}. Rename it to have both.`
  if (name === 'login' && config.middlewares.includes('jwt')) {
    return `"login": POST /login signs in while the jwt layer is on, and adds no row here. Rename it.`
  }
  const file = fileInFront(config.static ?? PUBLIC, name)
  if (file) return `"${name}": GET ${path} answers with ${file}, not with this resource. Rename one of them.`
  if (/\s/.test(name))
    return `"${name}" has a space in its name: its path is ${path}. Rename it to make that simple.`
  return undefined
}

/** What the folder of static files has under this name. Dot files are not served. */
function fileInFront(folder: string, name: string): string | undefined {
  if (name.startsWith('.') || name.includes('\0')) return undefined
  const path = join(folder, name)
  return statSync(path, { throwIfNoEntry: false }) && path
}
