import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatOf } from '../formats/formats.ts'

export interface FolderContents {
  /** Names of data files, in order. */
  readonly files: readonly string[]
  /** Names of files that are no data. */
  readonly ignored: readonly string[]
}

/** Files that lie beside data, and are none. */
const SETTINGS =
  /^(?:restable\.config\.\w+|json-server(?:\.config)?\.json|routes\.json|package(?:-lock)?\.json|tsconfig.*\.json)$/i

/** Hidden files, settings and folders are passed over in silence. */
export async function listDataFiles(
  folder: string,
  isExcluded: (path: string) => boolean,
): Promise<FolderContents> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.') && !SETTINGS.test(name)).sort()
  const files: string[] = []
  const ignored: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    if (isExcluded(path)) continue
    // Follows links. What cannot be looked at is gone, or a broken link.
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile()) (formatOf(name) ? files : ignored).push(name)
  }
  return { files, ignored }
}
