import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { isRow } from '../../storage/is-row.ts'
import { readSchemaFile } from './read-schema-file.ts'

/**
 * Reads a schema file, with what it refers to in other files among its `$defs`: `"$ref": "address.json#/$defs/street"`.
 * Throws a one-line ConfigError that names the file.
 * @param setting what names it, for when it is not there
 * @param files gets the files that were read, as absolute paths, even if one cannot be used
 */
export function bundleSchema(file: string, setting: string, files: Set<string> = new Set()): unknown {
  files.add(resolve(file))
  const root = readSchemaFile(file, setting)
  if (!isRow(root)) return root
  /** What became of other files. */
  const others = new Map<string, string>([[resolve(file), '#']])
  const added = new Map<string, unknown>()
  const known = isRow(root.$defs) ? root.$defs : {}

  /** The same with each reference as it is in the bundle. */
  function moved(node: unknown, from: string, place: string, isSchema = true): unknown {
    if (Array.isArray(node)) return node.map((entry) => moved(entry, from, place))
    if (!isRow(node)) return node
    const entries = Object.entries(node).map(([key, inner]): [string, unknown] => {
      if (!isSchema) return [key, moved(inner, from, place)]
      if (key === '$ref' && typeof inner === 'string') return [key, target(inner, from, place)]
      return [key, OF_DATA.has(key) ? inner : moved(inner, from, place, !BY_NAME.has(key))]
    })
    // In the bundle it is no document of its own.
    const isDocument = isSchema && place !== '#'
    return Object.fromEntries(entries.filter(([key]) => !isDocument || (key !== '$id' && key !== '$schema')))
  }

  function target(ref: string, from: string, place: string): string {
    const [path = '', pointer = ''] = ref.split('#', 2)
    if (path === '') return pointer === '' || pointer.startsWith('/') ? `${place}${pointer}` : ref
    const other = join(dirname(from), path)
    if (/^[a-z][a-z\d+.-]*:/i.test(path) || (!existsSync(other) && hasId(root))) return ref
    if (!existsSync(other)) {
      throw new ConfigError(`${from}: "$ref" leads nowhere: there is no file ${other}. Correct the path.`)
    }
    return `${others.get(resolve(other)) ?? add(other, path)}${pointer}`
  }

  function add(other: string, path: string): string {
    const name = freeName(
      path.replace(/[^\w.-]+/g, '-'),
      (taken) => added.has(taken) || Object.hasOwn(known, taken),
    )
    const place = `#/$defs/${name}`
    others.set(resolve(other), place)
    files.add(resolve(other))
    added.set(name, undefined)
    added.set(name, moved(readSchemaFile(other, '$ref'), other, place))
    return place
  }

  const own = moved(root, file, '#')
  if (added.size === 0 || !isRow(own)) return root
  return { ...own, $defs: { ...(isRow(own.$defs) && own.$defs), ...Object.fromEntries(added) } }
}

/** The files that a schema is made of, as absolute paths: as many as can be read. */
export function schemaFiles(file: string): readonly string[] {
  const files = new Set<string>()
  try {
    bundleSchema(file, 'schema', files)
  } catch {
    // What is wrong with it is said where it is opened.
  }
  return [...files]
}

/** Keywords whose values are data, and those whose values are schemas by name. */
const OF_DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples', 'required'])
const BY_NAME: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
])

/** Whether parts of it have names of their own, which references may mean. */
function hasId(node: unknown, isRoot = true): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (!isRoot && isRow(node) && typeof node.$id === 'string') return true
  return Object.values(node).some((inner) => hasId(inner, false))
}

function freeName(base: string, isTaken: (name: string) => boolean): string {
  let name = base
  for (let number = 2; isTaken(name); number++) name = `${base}-${number}`
  return name
}
