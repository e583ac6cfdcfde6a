import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { mapInner } from '../../core/kernel/json/schema-document.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { freeName } from '../../core/kernel/util/free-name.ts'
import { parseJsonFile } from '../../stores/formats/load.ts'

/** Reads a schema file, with other files that it refers to among its `$defs`. `files` gets the paths of all of them. */
export function bundleSchema(file: string, setting: string, files: Set<string> = new Set()): unknown {
  files.add(resolve(file))
  const root = readSchemaFile(file, setting)
  if (!isObject(root)) return root
  const others = new Map<string, string>([[resolve(file), '#']])
  const added = new Map<string, unknown>()
  const definitions = isObject(root.$defs) ? root.$defs : {}

  function moved(node: unknown, from: string, place: string): unknown {
    if (!isObject(node)) return node
    const whole = mapInner(node, (inner) => moved(inner, from, place))
    const refs = ['$ref', '$dynamicRef'].flatMap((key) => {
      const ref = node[key]
      return typeof ref === 'string' ? [[key, target(ref, from, place)]] : []
    })
    const { $id: _, $schema: __, ...part } = whole
    // In the bundle, a file is no document of its own.
    return { ...(place === '#' ? whole : part), ...Object.fromEntries(refs) }
  }

  function target(ref: string, from: string, place: string): string {
    const [path = '', pointer = ''] = ref.split('#', 2)
    const at = (file: string) =>
      pointer === '' || pointer.startsWith('/') ? `${file}${pointer}` : `#${pointer}`
    if (path === '') return at(place)
    const other = join(dirname(from), path)
    if (/^[a-z][a-z\d+.-]*:/i.test(path) || (!existsSync(other) && hasId(root))) return ref
    if (!existsSync(other)) {
      throw new ConfigError(`${from}: "$ref" leads nowhere: there is no file ${other}. Correct the path.`)
    }
    return at(others.get(resolve(other)) ?? add(other, path))
  }

  function add(other: string, path: string): string {
    const isTaken = (name: string) => added.has(name) || Object.hasOwn(definitions, name)
    const name = freeName(path.replace(/[^\w.-]+/g, '-'), isTaken, '-')
    const place = `#/$defs/${name}`
    others.set(resolve(other), place)
    files.add(resolve(other))
    added.set(name, undefined)
    added.set(name, moved(readSchemaFile(other, '$ref'), other, place))
    return place
  }

  const own = moved(root, file, '#')
  if (added.size === 0 || !isObject(own)) return root
  return { ...own, $defs: { ...(isObject(own.$defs) && own.$defs), ...Object.fromEntries(added) } }
}

export function schemaFiles(file: string): readonly string[] {
  const files = new Set<string>()
  // What is wrong with it is reported when the schema is opened.
  attempt(() => bundleSchema(file, 'schema', files))
  return [...files]
}

/** Whether parts of it have ids, which references may mean. */
function hasId(node: unknown, isRoot = true): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (!isRoot && isObject(node) && typeof node.$id === 'string') return true
  return Object.values(node).some((inner) => hasId(inner, false))
}

function readSchemaFile(file: string, setting: string): unknown {
  return parseJsonFile(read(file, setting), file, 'Put a JSON Schema in it.')
}

function read(file: string, setting: string): Buffer {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) {
    throw new ConfigError(
      `${setting}: there is no file ${basename(file)} in ${dirname(resolve(file))}. Correct the path, or put a JSON Schema there.`,
    )
  }
  // Opening a named pipe could block forever.
  if (!stats.isFile()) throw new ConfigError(`${file}: this is not a file. Name a JSON Schema.`)
  try {
    return readFileSync(file)
  } catch (cause) {
    const code = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
    throw new ConfigError(`${file}: the schema file cannot be read (${code}). Check its permissions.`, {
      cause,
    })
  }
}
