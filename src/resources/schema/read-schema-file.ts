import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { describeFault } from '../../storage/json/describe-fault.ts'

/**
 * The contents of a schema file. Throws a one-line ConfigError: file, place, remedy.
 * @param setting what names it, for when it is not there
 */
export function readSchemaFile(file: string, setting: string): unknown {
  const bytes = read(file, setting)
  if (!isUtf8(bytes)) throw new ConfigError(`${file}: this is not UTF-8 text. Save it as UTF-8.`)
  const text = bytes.toString().replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (text.trim() === '')
      throw new ConfigError(`${file}: the file is empty. Put a JSON Schema in it.`, { cause })
    throw new ConfigError(`${file}: ${describeFault(text)}`, { cause })
  }
}

function read(file: string, setting: string): Buffer {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) {
    throw new ConfigError(
      `${setting}: there is no file ${basename(file)} in ${dirname(resolve(file))}. Correct the path, or put a JSON Schema there.`,
    )
  }
  // Opening a named pipe could block forever.
  if (!found.isFile()) throw new ConfigError(`${file}: this is not a file. Name a JSON Schema.`)
  try {
    return readFileSync(file)
  } catch (cause) {
    const code = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
    throw new ConfigError(`${file}: the schema file cannot be read (${code}). Check its permissions.`, {
      cause,
    })
  }
}
