import { open, unlink } from 'node:fs/promises'
import { unless } from './system-error.ts'

/** A lock file as it was seen: an equal sighting later means that its holder gave no sign of life. */
export interface Sighting {
  readonly text: string
  readonly identity: string
}

/** Creates the file with this text; false when there is one already. */
export async function createLockFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch(unless('EEXIST'))
  if (file === undefined) return false
  try {
    await file.write(text)
  } catch (error) {
    // A full disk has room for the name of a file but not for its contents.
    await unlink(path).catch(unless('ENOENT'))
    throw error
  } finally {
    await file.close()
  }
  return true
}

/** The file as it is now; undefined when there is none. */
export async function lookAt(path: string): Promise<Sighting | undefined> {
  const file = await open(path, 'r').catch(unless('ENOENT'))
  if (file === undefined) return undefined
  try {
    const { ino, mtimeNs } = await file.stat({ bigint: true })
    const text = await file.readFile('utf8')
    return { text, identity: `${ino} ${mtimeNs} ${text}` }
  } finally {
    await file.close()
  }
}
