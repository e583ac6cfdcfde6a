import { readAddress } from '../../storage/postgres/address.ts'
import { Arrival } from './arrival.ts'
import { checkEnds, sizeOf } from './check-ends.ts'
import { explainTarget, toFile, toStream } from './export-target.ts'
import type { ExportOptions, ImportOptions, Transferred } from './transfer-options.ts'

/** Puts the data of a file, however large, into a database: all of it or, if anything fails, nothing. */
export async function importData(options: ImportOptions): Promise<Transferred> {
  const { from, to, replace = false, signal = new AbortController().signal } = options
  checkEnds('import', from, to)
  const address = readAddress(to, options.schema)
  const totalBytes = typeof from === 'string' ? await sizeOf(from) : undefined
  const { importToPostgres: fillPostgres } = await import('../../storage/postgres/transfer.ts')
  const arrival = new Arrival(options, signal, totalBytes)
  const onRows = (rows: number) => arrival.tell({ rows })
  await fillPostgres(address, arrival, { replace, onRows, signal })
  return arrival.counted
}

/** Writes a database to a file, whole or not at all, or to a stream: what `/db` shows, and hidden fields. */
export async function exportData(options: ExportOptions): Promise<Transferred> {
  const { from, to, replace = false, signal, onProgress } = options
  checkEnds('export', to, from)
  const address = readAddress(from, options.schema)
  const write = typeof to === 'string' ? await toFile(to, replace) : toStream(to, signal)
  const { exportFromPostgres: writeOutPostgres } = await import('../../storage/postgres/transfer.ts')
  return writeOutPostgres(address, signal, async ({ resources, rows: totalRows, pieces }) => {
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
      await write(chunks())
    } catch (error) {
      throw error === source || signal?.aborted ? error : explainTarget(error, to)
    }
    return { resources, rows: totalRows }
  })
}
