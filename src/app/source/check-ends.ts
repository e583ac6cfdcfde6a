import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { kindOf } from '../../storage/file/regular-file.ts'
import { isPostgres } from '../../storage/postgres/address.ts'
import { missingRemedy } from './explain-source.ts'
import { isJsonFile } from './load-source.ts'

/** No message shows a source that may be an address: it may have a password in it. */
const WRITE = {
  import: 'Write: restable import db.json postgres://user@host/database',
  export: 'Write: restable export postgres://user@host/database db.json',
} as const

export function checkEnds(way: 'import' | 'export', file: unknown, database: string): void {
  if (typeof file === 'string' && isPostgres(file)) {
    const isTwice = isPostgres(database)
    const what = isTwice ? 'both are databases' : 'the file and the database are the wrong way round'
    throw new ConfigError(`${way}: ${what}. ${WRITE[way]}`)
  }
  if (!isPostgres(database)) throw new ConfigError(`${way}: the database is missing. ${WRITE[way]}`)
  if (typeof file !== 'string' || isJsonFile(file)) return
  const hint = /:\/\//.test(file) ? '' : ` "${file}" is not one.`
  throw new ConfigError(`${way}: the file has to be a .json file.${hint} ${WRITE[way]}`)
}

export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    const isMissing = cause.code === 'ENOENT'
    const remedy = isMissing ? missingRemedy(file) : 'Check the path.'
    const what = isMissing ? 'does not exist' : `cannot be opened (${cause.code})`
    throw new ConfigError(`import: "${file}" ${what}. ${remedy}`, { cause })
  })
  if (found.isFile()) return found.size
  throw new ConfigError(`import: "${file}" is ${kindOf(found)}. Name a file.`)
}

/** Refuses to export to what is there already, or to where nothing can be. */
export async function checkTarget(file: string, replace: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found && !found.isFile()) throw new ConfigError(`export: "${file}" is ${kindOf(found)}. Name a file.`)
  if (found && !replace) {
    throw new ConfigError(
      `export: "${file}" exists already. Add --replace to overwrite it, or name another file.`,
    )
  }
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (folder?.isDirectory()) return
  throw new ConfigError(
    `export: "${file}" cannot be written: there is no such folder. Make it, or correct the path.`,
  )
}
