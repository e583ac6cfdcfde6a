import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { resolvePointer } from '../../core/kernel/json/schema-document.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { decodeText } from '../../stores/formats/load.ts'
import { parseYaml } from '../../stores/formats/parse-yaml.ts'

export type DocumentNode = Readonly<Record<string, unknown>>

/** Other files of a description stand under this key, once they are read. */
const FILES = 'x-files'
const MOST_FILES = 1000

/** A description, with the files in its folder that it refers to. References stay: what contains itself is never unfolded. */
export class ApiDocument {
  readonly root: DocumentNode
  readonly #targets = new Map<string, unknown>()

  constructor(root: DocumentNode, file: string) {
    this.root = withFiles(root, file)
  }

  /** The target of a node, after all its references; undefined if they lead nowhere. */
  resolve(node: unknown): unknown {
    const seen = new Set<string>()
    let here = node
    while (isObject(here) && typeof here.$ref === 'string') {
      if (seen.has(here.$ref)) return undefined
      seen.add(here.$ref)
      here = this.target(here.$ref)
    }
    return here
  }

  object(node: unknown): DocumentNode {
    const found = this.resolve(node)
    return isObject(found) ? found : {}
  }

  target(ref: string): unknown {
    if (!ref.startsWith('#')) return undefined
    if (!this.#targets.has(ref)) this.#targets.set(ref, resolvePointer(this.root, ref))
    return this.#targets.get(ref)
  }
}

/** The document, in which references to other files lead to copies of these. Those to URLs and other folders stay as they are. */
function withFiles(root: DocumentNode, file: string): DocumentNode {
  const folder = realpathSync(dirname(resolve(file)))
  const files = new Map<string, unknown>()

  /** @param from the file that a node stands in; undefined for the description itself */
  function moved(node: unknown, from: string | undefined): unknown {
    if (Array.isArray(node)) return mapped(node, (item) => moved(item, from))
    if (!isObject(node)) return node
    let copy: [string, unknown][] | undefined
    const entries = Object.entries(node)
    entries.forEach(([name, value], at) => {
      const isRef = name === '$ref' && typeof value === 'string'
      const other = isRef ? placeOf(value, from) : moved(value, from)
      if (other === value) return
      copy ??= [...entries]
      copy[at] = [name, other]
    })
    return copy ? Object.fromEntries(copy) : node
  }

  function placeOf(ref: string, from: string | undefined): string {
    const [path = '', pointer = ''] = ref.split('#', 2)
    if (path === '') return from === undefined ? ref : `#/${FILES}/${keyOf(from)}${pointer}`
    if (/^[a-z][a-z\d+.-]*:/i.test(path)) return ref
    const other = resolve(dirname(from ?? resolve(file)), attempt(() => decodeURIComponent(path)) ?? path)
    const real = existsSync(other) ? realpathSync(other) : ''
    if (real === '' || relative(folder, real).startsWith('..')) return ref
    if (real === realpathSync(resolve(file))) return `#${pointer}`
    if (!files.has(keyOf(real)) && !add(real)) return ref
    return `#/${FILES}/${keyOf(real)}${pointer}`
  }

  function add(path: string): boolean {
    if (files.size >= MOST_FILES) return false
    const value = attempt(() => {
      const text = decodeText(readFileSync(path), path)
      return attempt((): unknown => JSON.parse(text)) ?? parseYaml(text).toJS()
    })
    if (value === undefined) return false
    files.set(keyOf(path), undefined)
    files.set(keyOf(path), moved(value, path))
    return true
  }

  const keyOf = (path: string) => relative(folder, path).replaceAll('~', '~0').replaceAll(/[\\/]/g, '~1')
  const whole = moved(root, undefined)
  const all = [...files].map(([key, value]) => [key.replaceAll('~1', '/').replaceAll('~0', '~'), value])
  return { ...(isObject(whole) ? whole : root), ...(files.size > 0 && { [FILES]: Object.fromEntries(all) }) }
}

/** The same list, if nothing in it changes. */
function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change)
  return changed.some((item, at) => item !== list[at]) ? changed : list
}
