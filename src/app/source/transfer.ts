import { resolve } from 'node:path'
import { ConfigError, StorageError } from '../../errors.ts'
import { realPath } from '../../storage/disk/fs.ts'
import { removeLeftovers } from '../../storage/disk/temp-files.ts'
import { replaceFile } from '../../storage/file/replace-file.ts'
import { readAddress } from '../../storage/postgres/link/address.ts'
import { Arrival } from './arrival.ts'
import { checkEnds, checkTarget, sizeOf } from './check-ends.ts'
import type { ExportOptions, ImportOptions, Transferred } from './transfer-options.ts'

/** Puts the data of a file, however large, into a database: all of it or, if anything fails, nothing. */
export async function importData(options: ImportOptions): Promise<Transferred> {
  const { from, to, replace = false, id = 'id', foreignKeySuffix = 'Id' } = options
  const { signal = new AbortController().signal } = options
  checkEnds('import', from, to)
  const address = readAddress(to, options.schema)
  const totalBytes = typeof from === 'string' ? await sizeOf(from) : undefined
  const { openPostgres } = await import('../../storage/postgres/postgres-engine.ts')
  const arrival = new Arrival(options, signal, totalBytes)
  const onRows = (rows: number) => arrival.tell({ rows })
  let isNew = false
  const sample = () => {
    isNew = true
    return arrival
  }
  const engine = await openPostgres(address, { id, foreignKeySuffix, sample, onRows, signal })
  try {
    if (!isNew && !replace) {
      throw new ConfigError(
        `import: the schema ${address.schema} has data already. Add --replace to replace all of it, or name another with --schema.`,
      )
    }
    if (!isNew) await engine.fill(arrival, onRows).catch(explainRefusal)
    // It is in already. Should this fail, the database takes a look by itself later.
    if (!signal.aborted) await engine.tidy().catch(() => {})
  } finally {
    await engine.close()
  }
  return arrival.counted
}

/**
 * Writes the data of a database, however much it is, to a file, which is there as a whole or not at all. The same bytes
 * that `/db` shows, and fields that it hides.
 */
export async function exportData(options: ExportOptions): Promise<Transferred> {
  const { from, to, replace = false, id = 'id', signal, onProgress } = options
  checkEnds('export', to, from)
  const address = readAddress(from, options.schema)
  const path = resolve(to)
  await checkTarget(to, replace)
  const target = await realPath(path)
  await removeLeftovers(target)
  const { writeOutPostgres } = await import('../../storage/postgres/write-out-postgres.ts')
  return writeOutPostgres(address, id, async ({ resources, rows: totalRows, pieces }) => {
    let source: unknown
    async function* chunks(): AsyncGenerator<Uint8Array, void> {
      let rows = 0
      let bytes = 0
      try {
        for await (const piece of pieces) {
          signal?.throwIfAborted()
          yield piece.bytes
          rows += piece.rows
          bytes += piece.bytes.length
          onProgress?.({ rows, totalRows, bytes })
        }
      } catch (error) {
        source = error
        throw error
      }
    }
    try {
      const mayReplace = () => checkTarget(to, replace)
      await replaceFile(target, chunks(), {
        mayReplace,
        mayOverwrite: async () => {},
        hasReplaced: async () => {},
      })
    } catch (error) {
      throw error === source ? error : explainTarget(error, to)
    }
    return { resources, rows: totalRows }
  })
}

function explainTarget(error: unknown, to: string): unknown {
  if (error instanceof ConfigError || error instanceof StorageError || !(error instanceof Error)) return error
  const why = 'code' in error ? ` (${error.code})` : ''
  const message = `export: "${to}" cannot be written${why}. Check its folder, its permissions and the free space.`
  return new ConfigError(message, { cause: error })
}

/** What PostgreSQL says of a full disk, for one. */
function explainRefusal(error: unknown): never {
  if (!(error instanceof Error && 'severity' in error)) throw error
  throw new ConfigError(`import: the database refused it, and nothing was changed: ${error.message}.`, {
    cause: error,
  })
}
