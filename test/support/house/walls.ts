import { posix } from 'node:path'
import { readModule } from './read-module.ts'
import { type Room, rooms } from './rooms.ts'

/** The room of a file, given by its path from src/. */
export function roomOf(file: string): Room | undefined {
  const folder = posix.dirname(file)
  return rooms.find((room) => {
    if (room.isTree) return file.startsWith(`${room.folder}/`)
    return room.folder === folder && (room.files?.includes(posix.basename(file)) ?? true)
  })
}

/** Every wall that a file goes through, as a sentence each. */
export function faultsOf(file: string, source: string): readonly string[] {
  const room = roomOf(file)
  if (!room)
    return [`src/${file} is in no room: give it one in test/support/house/rooms.ts and CONTRIBUTING.md`]
  const { imports, globals, statements } = readModule(source, file.endsWith('.tsx') ? 'tsx' : 'ts')
  const refused = [
    ...imports
      .filter((name) => !mayImport(room, file, name))
      .map((name) => `imports ${name ?? 'a computed name'}`),
    ...globals.filter((name) => !room.globals?.test(name)).map((name) => `uses ${name}`),
    ...statements.filter((kind) => room.statements?.test(kind) === false).map((kind) => `contains a ${kind}`),
  ]
  return refused.map((what) => `src/${file} ${what}. The rule of ${nameOf(room)}: ${room.rule}`)
}

/** The files that a file of src/ imports, by their paths from src/. */
export function importsOf(file: string, source: string): readonly string[] {
  const { imports } = readModule(source, file.endsWith('.tsx') ? 'tsx' : 'ts')
  return imports.filter((name) => name?.startsWith('.') === true).map((name) => resolve(file, name ?? ''))
}

/** The first circle among files that import each other, in its order. */
export function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
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

function nameOf({ folder, files }: Room): string {
  return folder === '.' ? (files ?? []).join(', ') : folder
}

function mayImport(room: Room, file: string, name: string | undefined): boolean {
  if (name === undefined) return room.computed === true
  if (name.startsWith('node:')) return room.builtins?.test(name) === true
  if (!/^[./]/.test(name))
    return room.packages?.some((known) => name === known || name.startsWith(`${known}/`)) === true
  const target = resolve(file, name)
  if (file.startsWith('layers/') && isLayer(target)) return false
  if (roomOf(target) === room) return true
  return room.uses?.some((door) => door === target || door === posix.dirname(target)) === true
}

/** A layer stands right in a folder of layers; its parts begin with `_`, or have a room of their own. */
function isLayer(file: string): boolean {
  return /^layers\/(?:(?:doors|log)\/)?[^_/][^/]*$/.test(file)
}

function resolve(file: string, name: string): string {
  return posix.normalize(posix.join(posix.dirname(file), name))
}
