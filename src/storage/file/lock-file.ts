import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { StorageError } from '../../catalogue/error-classes.ts'
import { hasCode, unless, useFile } from './fs.ts'
import { kindOf } from './regular-file.ts'

/** The observed state of a lock file: an equal one later means that there was no heartbeat. */
export interface Sighting {
  readonly text: string
  readonly identity: string
}

/** For the text of a file we may not read. Its modification time still shows the heartbeat. */
const UNREADABLE = 'unreadable\n'

/** Our own text is much shorter; a foreign file may have any length. */
const MOST_BYTES = 8192

/** Does not follow links or wait for pipes: neither is a lock. */
const LOOK: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export async function createLockFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch(unless('EEXIST'))
  if (file === undefined) return false
  try {
    await file.write(text)
  } catch (error) {
    // A full disk may have room for a file's name, but not for its contents.
    await unlink(path).catch(unless('ENOENT'))
    throw error
  } finally {
    await file.close()
  }
  return true
}

/** The current state of the file; undefined if there is none. Throws if something other than a file has its name. */
export async function lookAt(path: string): Promise<Sighting | undefined> {
  const file = await open(path, LOOK).catch(
    unless('ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP'),
  )
  if (file === undefined) return await lookFromOutside(path)
  return await useFile(file, async () => {
    const stats = await file.stat({ bigint: true })
    assertLock(stats, path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0)
    return sighting(stats, buffer.toString('utf8', 0, bytesRead))
  })
}

async function lookFromOutside(path: string): Promise<Sighting | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(unless('ENOENT'))
  if (stats === undefined) return undefined
  assertLock(stats, path)
  return sighting(stats, UNREADABLE)
}

function sighting({ ino, mtimeNs }: BigIntStats, text: string): Sighting {
  return { text, identity: `${ino} ${mtimeNs} ${text}` }
}

/** Clients see this message, so it names no folder. */
function assertLock(stats: BigIntStats, path: string): void {
  if (stats.isFile()) return
  const message = `${basename(path)} is ${kindOf(stats)}. restable needs this name for its lock file: remove what is there.`
  throw new StorageError('WRITE_FAILED', message)
}

export async function removeLockFile(path: string): Promise<void> {
  await unlink(path).catch((cause: unknown) => {
    if (hasCode(cause, 'ENOENT')) return
    const message = `${basename(path)} is left over from another process and cannot be deleted. Delete it.`
    throw new StorageError('WRITE_FAILED', message, { cause })
  })
}
