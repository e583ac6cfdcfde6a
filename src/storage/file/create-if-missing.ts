import { writeFileSync } from 'node:fs'
import { hasCode } from '../disk/fs.ts'

/** Makes an empty database where there is no file yet. One that cannot be made is left for the reader to name. */
export function createIfMissing(path: string): void {
  try {
    writeFileSync(path, '{}', { flag: 'wx' })
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOENT', 'EACCES', 'EROFS', 'EISDIR')) throw error
  }
}
