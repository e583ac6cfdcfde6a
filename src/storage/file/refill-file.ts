import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

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
 * Overwrites a file in place, and returns once the disk has the new contents. It always holds the old or the new ones,
 * possibly followed by spaces: only a kill during the one call that writes them, or a machine that stops, leaves a mixture.
 */
export async function refill({ file, before, stats }: Refillable, contents: Buffer): Promise<BigIntStats> {
  const missing = contents.length - before.length
  // Reserve space first, so that the actual write cannot fail for lack of it.
  if (missing > 0) await writeAt(file, spaces(missing), before.length)
  await writeAt(file, missing < 0 ? Buffer.concat([contents, spaces(-missing)]) : contents, 0)
  await file.sync()
  if (missing < 0) await file.truncate(contents.length)
  return await restamp(file, stats)
}

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

/** Harmless after the end of JSON. */
function spaces(length: number): Buffer {
  return Buffer.alloc(length, ' ')
}

/** The system sets the time when the write starts: a process that read half of the file then must see that it has changed since. */
async function restamp(file: FileHandle, before: BigIntStats): Promise<BigIntStats> {
  // In seconds, which the system keeps to the microsecond: adding two is at least one.
  const later = Number(before.mtimeNs / 1000n + 2n) / 1e6
  const time = Math.max(Date.now() / 1000, later)
  await file.utimes(time, time)
  return await file.stat({ bigint: true })
}
