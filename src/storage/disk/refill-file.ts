import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** A file that is to be overwritten, and what it held. */
export interface Refillable {
  readonly file: FileHandle
  readonly before: Buffer
  readonly stats: BigIntStats
}

const READ_AND_WRITE: number = constants.O_RDWR | (constants.O_NONBLOCK ?? 0)

export async function openToRefill(target: string): Promise<Refillable> {
  const file = await open(target, READ_AND_WRITE)
  try {
    const stats = await file.stat({ bigint: true })
    return { file, stats, before: await file.readFile() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Writes new contents over a file, in place, and returns once the disk has them. At every moment it holds the old or
 * the new, maybe with spaces after it, but for the one call that hands over the new: only to be killed right in that
 * one, or a machine that stops, leaves a mixture.
 */
export async function refill({ file, before, stats }: Refillable, contents: Buffer): Promise<BigIntStats> {
  const missing = contents.length - before.length
  // Room first: where there is enough, the rest is not refused for want of it.
  if (missing > 0) await writeAt(file, spaces(missing), before.length)
  await writeAt(file, missing < 0 ? Buffer.concat([contents, spaces(-missing)]) : contents, 0)
  await file.sync()
  if (missing < 0) await file.truncate(contents.length)
  return await restamp(file, stats)
}

/** Puts back what was there. */
export async function putBack({ file, before, stats }: Refillable): Promise<void> {
  await writeAt(file, before, 0)
  await file.truncate(before.length)
  await file.sync()
  await restamp(file, stats)
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}

/** JSON does not mind them after its end. */
function spaces(length: number): Buffer {
  return Buffer.alloc(length, ' ')
}

/**
 * Gives the file a time that it never had. The system's own is that of the beginning of the write: whoever read half
 * of it then has to see that it has changed since.
 */
async function restamp(file: FileHandle, before: BigIntStats): Promise<BigIntStats> {
  // In seconds, of which the system keeps the whole microseconds: two more are at least one.
  const later = Number(before.mtimeNs / 1000n + 2n) / 1e6
  const time = Math.max(Date.now() / 1000, later)
  await file.utimes(time, time)
  return await file.stat({ bigint: true })
}
