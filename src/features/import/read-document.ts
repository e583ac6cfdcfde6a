import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { isWithin } from '../../core/kernel/json/limits.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { FormatFault } from '../../stores/formats/codec.ts'
import { decodeText, parseJsonFile } from '../../stores/formats/load.ts'

const MB = 2 ** 20
const MOST_JSON = 64 * MB
const MOST_YAML = 16 * MB
const MOST_LEVELS = 1000
/** The beginning and the end of a file, where the version of a description is. */
const GLANCE = 2 ** 16

const VERSION = /(?:^|[{,\s])["']?(?:openapi["']?\s*:\s*["']?3\.|swagger["']?\s*:\s*["']?2)/

/** Whether a file may be a description: a cheap look, before the whole is read. */
export async function mayBeDescription(file: unknown): Promise<boolean> {
  if (typeof file !== 'string' || !/\.(?:json|ya?ml)$/i.test(file) || /^https?:/i.test(file)) return false
  // Opening a named pipe would wait for who writes to it.
  const stats = await stat(file).catch(() => undefined)
  const handle = stats?.isFile() ? await open(file).catch(() => undefined) : undefined
  if (!stats || !handle) return false
  try {
    const { size } = stats
    const head = await glance(handle, 0)
    return VERSION.test(head) || (size > GLANCE && VERSION.test(await glance(handle, size - GLANCE)))
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

async function glance(handle: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(GLANCE), 0, GLANCE, Math.max(0, position))
  return buffer.toString('utf8', 0, bytesRead)
}

export function isDescription(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  return /^3\.[0-2](?:\.|$)/.test(String(value.openapi)) || /^2(?:\.0)?$/.test(String(value.swagger))
}

/** The JSON or YAML of a file. A fault names line and column. */
export async function readDocument(file: string): Promise<unknown> {
  const { size } = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigError(`import: "${file}" cannot be opened (${cause.code}). Check the path.`, { cause })
  })
  refuseLarger(file, size, MOST_JSON)
  const bytes = await readFile(file)
  const isJson = /^[\s\uFEFF]*[{[]/.test(bytes.toString('utf8', 0, 1000)) && !/\.ya?ml$/i.test(file)
  const value = isJson ? parseJsonFile(bytes, file) : await parseYamlFile(bytes, file)
  if (isWithin(value, MOST_LEVELS)) return value
  throw new ConfigError(`${file}: it is nested deeper than ${MOST_LEVELS} levels. Make it flatter.`)
}

function refuseLarger(file: string, size: number, most: number): void {
  if (size <= most) return
  throw new ConfigError(
    `${file}: it is larger than ${most / MB} MB. Split it, or leave out what is not needed.`,
  )
}

async function parseYamlFile(bytes: Uint8Array, file: string): Promise<unknown> {
  refuseLarger(file, bytes.length, MOST_YAML)
  const { parseYaml } = await import('../../stores/formats/parse-yaml.ts')
  try {
    return parseYaml(decodeText(bytes, file)).toJS()
  } catch (cause) {
    if (cause instanceof FormatFault) throw new ConfigError(`${file}: ${cause.message}`, { cause })
    if (!(cause instanceof ReferenceError)) throw cause
    throw new ConfigError(
      `${file}: its aliases mean too much (${cause.message}). Write out what they mean.`,
      { cause },
    )
  }
}
