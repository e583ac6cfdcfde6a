import { existsSync } from 'node:fs'
import { open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isObject } from '../../json/values.ts'
import { attempt } from '../../util/attempt.ts'
import { syncFolder, unless, useFile, versionOf } from './fs.ts'
import { overwriteFile } from './overwrite-file.ts'
import { assertRegular } from './regular-file.ts'
import { isLeftBehind, keptPath, tempPath } from './temp-files.ts'

/** A file that is about to be replaced, by a rename, or removed. */
export interface NotedRename {
  readonly target: string
  readonly temp: string
  /** Of the file that is there before; null if there is none. */
  readonly version: string | null
  readonly isRemoval: boolean
}

/**
 * In each folder where one save replaces files: if it is killed before all are, who finds the note replaces the rest.
 * Resolves with their paths once they are on disk.
 */
export async function writeNotes(renames: readonly NotedRename[]): Promise<readonly string[]> {
  const folders = new Set(renames.map(({ target }) => dirname(target)))
  const paths = [...folders].map((folder) => tempPath(join(folder, 'restable')).replace(/tmp$/, 'note'))
  try {
    for (const path of paths) {
      const folder = dirname(path)
      const list = renames.map(({ target, temp, version, isRemoval }) => {
        return { target: relative(folder, target), temp: relative(folder, temp), version, isRemoval }
      })
      await useFile(await open(path, 'wx', 0o600), async (file) => {
        await file.writeFile(JSON.stringify(list))
        await file.sync()
      })
      await syncFolder(folder)
    }
    return paths
  } catch (error) {
    await removeNotes(paths)
    throw error
  }
}

export async function removeNotes(paths: readonly string[]): Promise<void> {
  for (const path of paths) await unlink(path).catch(() => undefined)
}

const NOTE = /^\.restable\.(.+)\.[0-9a-f]{12}\.note$/

/** Whether there is one beside these files. */
export async function hasNote(targets: readonly string[]): Promise<boolean> {
  for await (const _ of notesBeside(targets)) return true
  return false
}

/** Finishes saves of killed processes. Under the locks of these files: no live process can be replacing them. */
export async function finishRenames(targets: readonly string[]): Promise<void> {
  for await (const { path, mark } of notesBeside(targets)) await finishNote(path, mark, targets)
}

/** With the marks of the processes that wrote them. */
async function* notesBeside(targets: readonly string[]): AsyncGenerator<{ path: string; mark: string }> {
  for (const folder of new Set(targets.map(dirname))) {
    for (const name of await readdir(folder).catch(() => [])) {
      const [, mark] = NOTE.exec(name) ?? []
      if (mark !== undefined) yield { path: join(folder, name), mark }
    }
  }
}

/** Other files of the note are left to the process that locks them, but for those that are not there: nobody can lock them. */
async function finishNote(path: string, mark: string, targets: readonly string[]): Promise<void> {
  const renames = readNote(path, await readFile(path, 'utf8'))
  const isOurs = ({ target }: NotedRename) => targets.includes(target)
  // A live process may be just writing it.
  const isFinished = renames.length === 0 ? await isLeftBehind(mark, path) : renames.some(isOurs)
  if (!isFinished) return
  const ours = renames.filter((rename) => isOurs(rename) || !existsSync(rename.target))
  for (const rename of ours) {
    await finishRename(rename)
    await unlink(keptPath(rename.temp)).catch(() => undefined)
  }
  await syncFolder(dirname(path))
  if (ours.length === renames.length) await unlink(path)
}

/** A file that was edited since stays as it is: nobody was told that the save succeeded. */
async function finishRename({ target, temp, version, isRemoval }: NotedRename): Promise<void> {
  const stats = await stat(target, { bigint: true }).catch(unless('ENOENT'))
  const isUntouched = (stats ? versionOf(stats) : null) === version
  if (isRemoval) {
    if (stats && isUntouched) await unlink(target)
    return
  }
  if (!isUntouched) return
  const copy = await stat(temp, { bigint: true }).catch(unless('ENOENT'))
  if (!copy) return
  assertRegular(copy, basename(temp))
  await rename(temp, target).catch(() => overwriteFile(target, temp))
}

/** Any process can write such a file: only temporary files beside their targets are accepted. Empty if it is not whole. */
function readNote(path: string, text: string): readonly NotedRename[] {
  const list: unknown = attempt(() => JSON.parse(text))
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) => {
    if (!isObject(entry)) return []
    const [target, temp] = [entry.target, entry.temp].map((name) => resolve(dirname(path), String(name)))
    if (target === undefined || temp === undefined) return []
    const isOurs = dirname(target) === dirname(temp) && basename(temp).startsWith(`.${basename(target)}.`)
    const version = typeof entry.version === 'string' ? entry.version : null
    return isOurs ? [{ target, temp, version, isRemoval: entry.isRemoval === true }] : []
  })
}
