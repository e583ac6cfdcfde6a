import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConfigError, StorageError } from '../../catalogue/error-classes.ts'
import { realPath } from '../../storage/file/fs.ts'
import { removeLeftovers } from '../../storage/file/temp-files.ts'
import { replaceFile } from '../../storage/file/write-file.ts'
import { checkTarget } from './check-ends.ts'

type WriteAll = (chunks: AsyncIterable<Uint8Array>) => Promise<void>

/** Writes to a file, which is there as a whole or not at all. Throws if there cannot be one. */
export async function toFile(to: string, replace: boolean): Promise<WriteAll> {
  const beforeReplace = () => checkTarget(to, replace)
  await beforeReplace()
  const target = await realPath(resolve(to))
  await removeLeftovers(target)
  return async (chunks) => {
    await replaceFile(target, chunks, {
      beforeReplace,
      beforeOverwrite: async () => {},
      afterReplace: async () => {},
    })
  }
}

/** Writes to a stream, and leaves it open. The signal ends the wait for one that takes nothing. */
export function toStream(to: Writable, signal?: AbortSignal): WriteAll {
  return async (chunks) => {
    const poured = pour(chunks, to)
    let stop = () => {}
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason)
    })
    signal?.addEventListener('abort', stop)
    try {
      await Promise.race([poured, stopped])
    } finally {
      signal?.removeEventListener('abort', stop)
      poured.catch(() => {})
    }
  }
}

async function pour(chunks: AsyncIterable<Uint8Array>, to: Writable): Promise<void> {
  // What fails is told by the callback; without a listener, it would end the process.
  const ignore = () => {}
  to.on('error', ignore)
  await pipeline(chunks, to, { end: false })
  // Until the last byte is out: a process that exports to a pipe may end right after.
  await new Promise<void>((done, fail) => to.write('', (error) => (error ? fail(error) : done())))
  to.off('error', ignore)
}

export function explainTarget(error: unknown, to: string | Writable): unknown {
  if (error instanceof ConfigError || error instanceof StorageError || !(error instanceof Error)) return error
  const why = 'code' in error ? ` (${error.code})` : ''
  const message =
    typeof to === 'string'
      ? `export: "${to}" cannot be written${why}. Check its folder, its permissions and the free space.`
      : `export: the output was closed${why}, and part of the data is missing there.`
  return new ConfigError(message, { cause: error })
}
