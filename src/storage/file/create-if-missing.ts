import { writeFileSync } from 'node:fs'
import { hasCode } from '../disk/fs.ts'

/** Creates an empty database if there is no file yet. If that fails, the read that follows reports it. */
export function createIfMissing(path: string): void {
  try {
    writeFileSync(path, '{}', { flag: 'wx' })
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOENT', 'EACCES', 'EROFS', 'EISDIR')) throw error
  }
}
