import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { JsonFile } from '../../storage/file/json-file.ts'
import { isPostgres, readAddress } from '../../storage/postgres/link/address.ts'
import type { Data } from '../../storage/types.ts'
import { isJsonFile } from './load-source.ts'

export interface TransferOptions {
  /** The file for an import, the database for an export. */
  readonly from: string
  readonly to: string
  /** Instead of the one in the address. @default restable */
  readonly schema?: string | undefined
  /** Whether what is already there may be replaced. @default false */
  readonly replace?: boolean | undefined
  /** The primary key. @default id */
  readonly id?: string | undefined
  readonly foreignKeySuffix?: string | undefined
  /** Called now and then with the number of rows that are in, and of those that there are. */
  readonly onProgress?: ((rows: number, all: number) => void) | undefined
}

/** What was transferred. */
export interface Transferred {
  readonly resources: number
  readonly rows: number
}

/** Puts the data of a file into a database: all of it or, if anything fails, nothing. */
export async function importData(options: TransferOptions): Promise<Transferred> {
  const { from, to, replace = false, onProgress } = options
  if (!isJsonFile(from)) throw new ConfigError(`import: "${from}" is not a .json file. Name the file first.`)
  if (!isPostgres(to))
    throw new ConfigError('import: name the database second, as postgres://user@host/database.')
  const address = readAddress(to, options.schema)
  const data = new JsonFile(resolve(from)).readSync()
  const all = countIn(data)
  const onRows = onProgress && ((rows: number) => onProgress(rows, all.rows))
  let isNew = false
  const sample = () => {
    isNew = true
    return data
  }
  const { openPostgres } = await import('../../storage/postgres/postgres-engine.ts')
  const engine = await openPostgres(address, { ...namingOf(options), sample, onRows })
  try {
    if (!isNew && !replace) {
      throw new ConfigError(
        `import: the schema ${address.schema} has data already. Add --replace to replace all of it, or name another with --schema.`,
      )
    }
    if (!isNew) await engine.fill(data, onRows)
    await engine.tidy()
  } finally {
    await engine.close()
  }
  return all
}

/** Writes the data of a database to a file: the same bytes that `/db` shows. */
export async function exportData(options: TransferOptions): Promise<Transferred> {
  const { from, to, replace = false } = options
  if (!isPostgres(from))
    throw new ConfigError('export: name the database first, as postgres://user@host/database.')
  if (!isJsonFile(to)) throw new ConfigError(`export: "${to}" is not a .json file. Name the file second.`)
  if (!replace && (await stat(to).catch(() => undefined))) {
    throw new ConfigError(
      `export: "${to}" exists already. Add --replace to overwrite it, or name another file.`,
    )
  }
  const { openPostgres } = await import('../../storage/postgres/postgres-engine.ts')
  const address = readAddress(from, options.schema)
  const sample = () => {
    throw new ConfigError(`export: the schema ${address.schema} has no data. Name another with --schema.`)
  }
  const engine = await openPostgres(address, { ...namingOf(options), sample })
  try {
    const { found } = await engine.read({ kind: 'database' })
    await new JsonFile(resolve(to)).write(found)
    return countIn(found)
  } finally {
    await engine.close()
  }
}

function namingOf({ id = 'id', foreignKeySuffix = 'Id' }: TransferOptions) {
  return { id, foreignKeySuffix }
}

function countIn(data: Data): Transferred {
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  return { resources: Object.keys(data).length, rows: lists.reduce((sum, rows) => sum + rows.length, 0) }
}
