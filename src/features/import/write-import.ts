import { mkdir, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { findConfigs, isConfigModule, isPackageFile, readJsonFile } from '../../config/config-file.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { isFolder } from '../../source/load-source.ts'
import { codeOf } from '../../stores/file/fs.ts'
import { replaceFiles } from '../../stores/file/write-file.ts'
import { formatOf } from '../../stores/formats/formats.ts'
import { isPostgres, readAddress } from '../../stores/postgres/address.ts'
import type { DescribeDataOptions, DescribedData } from './describe-data.ts'
import { mergeData, mergeMissing } from './merge-files.ts'
import type { ImportReport } from './report.ts'

export interface ImportDescriptionOptions extends DescribeDataOptions {
  /** An OpenAPI document. */
  readonly from: string
  /** A `.json` file, a folder, the address of a database, or `-` for the data alone, as text. */
  readonly to: string
  /** The config file to write. @default restable.config.json beside the data */
  readonly config?: string | undefined
  /** Of a database. */
  readonly schema?: string | undefined
  /** Adds what is missing, and changes nothing. */
  readonly merge?: boolean | undefined
  /** Replaces the collections of the import. */
  readonly replace?: boolean | undefined
  /** Only reports. */
  readonly dryRun?: boolean | undefined
  /** Writes nothing if something was not used. */
  readonly strict?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ImportedDescription {
  readonly report: ImportReport
  /** The report for people. */
  readonly lines: readonly string[]
  /** The data, where it is written to no file. */
  readonly text: string | undefined
  /** False if `strict` refused it. */
  readonly isDone: boolean
}

/** A file to write, and what is there. */
interface Target {
  readonly path: string
  readonly kind: 'data' | 'rows' | 'config' | 'rules'
  readonly value: Readonly<Record<string, unknown>>
}

/** Writes everything. Returns lines about what was there. */
export async function writeImport(
  described: DescribedData,
  options: ImportDescriptionOptions,
): Promise<readonly string[]> {
  const { to, merge = false, replace = false, signal } = options
  if (merge && replace)
    throw new ConfigError('import: --merge changes nothing, and --replace does. Give one of them.')
  const isDatabase = isPostgres(to)
  if (isDatabase && merge)
    throw new ConfigError('import: --merge is for files. A database can be replaced, with --replace.')
  const targets = await targetsOf(described, options)
  const present = await filter(
    targets,
    async ({ path }) => (await stat(path).catch(() => undefined)) !== undefined,
  )
  if (present.length > 0 && !merge && !replace) {
    const names = present.map(({ path }) => shown(path)).join(', ')
    throw new ConfigError(
      `import: ${names} ${present.length === 1 ? 'is' : 'are'} there already. Add --merge to add what is missing, or --replace.`,
    )
  }
  let differing = 0
  const files: {
    readonly target: string
    readonly chunks: readonly Uint8Array[]
    readonly expected?: null
  }[] = []
  for (const target of targets) {
    const isThere = present.includes(target)
    const old = isThere ? await readOld(target) : undefined
    const next = old ? together(old, target, { described, merge }) : { value: target.value, differing: 0 }
    differing += next.differing
    const before = old && textOf(contentOf(target, old))
    const text = textOf(contentOf(target, next.value))
    if (text !== before)
      files.push({ target: target.path, chunks: [Buffer.from(text)], ...(!isThere && { expected: null }) })
  }
  const folders = await makeFolders(files.map(({ target }) => dirname(target)))
  try {
    await replaceFiles(files, async () => {
      signal?.throwIfAborted()
      if (isDatabase) await intoDatabase(described, options)
    })
  } catch (error) {
    for (const folder of folders.toReversed()) await rmdir(folder).catch(() => undefined)
    const code = codeOf(error)
    if (code === undefined) throw error
    throw new ConfigError(`import: nothing was written (${code}). Check the folder and its permissions.`, {
      cause: error,
    })
  }
  const changed = files.map(({ target }) => shown(target)).join(', ')
  return [
    changed === '' ? 'Everything was there already.' : `Wrote ${changed}`,
    ...(differing > 0 ? [`${differing} rows or settings were there with other values, and stay.`] : []),
  ]
}

async function intoDatabase(
  { data }: DescribedData,
  { to, schema, replace = false, signal }: ImportDescriptionOptions,
) {
  const { importToPostgres } = await import('../../stores/postgres/transfer.ts')
  await importToPostgres(readAddress(to, schema), data, { replace, signal })
}

async function targetsOf(
  { data, settings, rules }: DescribedData,
  { to, config, schema }: ImportDescriptionOptions,
): Promise<readonly Target[]> {
  const isDatabase = isPostgres(to)
  if (isDatabase && config === undefined)
    throw new ConfigError(
      'import: a database has no place for the settings. Name a file: --config restable.config.json',
    )
  if (config !== undefined && !/\.json$/i.test(config))
    throw new ConfigError(`import: "${config}" has to be a .json file. Others are not changed here.`)
  const isFile = !isDatabase && formatOf(to) !== undefined
  if (!isDatabase && (formatOf(to) ?? 'json') !== 'json')
    throw new ConfigError(`import: "${to}" has to be a .json file, a folder, a database, or -.`)
  if (!isFile && !isDatabase && (await stat(to).catch(() => undefined)) && !isFolder(to))
    throw new ConfigError(`import: "${to}" is not a folder. Name another, or a .json file.`)
  const place = config === undefined ? dirname(resolve(to)) : dirname(resolve(config))
  const path = config === undefined ? await configIn(place, settings) : resolve(config)
  const routes = join(place, 'routes.json')
  const source = isDatabase
    ? addressToKeep(to, schema)
    : config === undefined
      ? relative(place, resolve(to))
      : to
  const routesName = config === undefined ? 'routes.json' : relative('.', routes)
  const hasRules = Object.keys(rules).length > 0
  const value = { source, ...(hasRules && { routes: routesName }), ...settings }
  const parts = Object.entries(data).map(([name, part]): Target => {
    return { path: join(resolve(to), `${name}.json`), kind: 'rows', value: { [name]: part } }
  })
  return [
    ...(isDatabase ? [] : isFile ? [{ path: resolve(to), kind: 'data' as const, value: data }] : parts),
    { path, kind: 'config', value },
    ...(hasRules ? [{ path: routes, kind: 'rules' as const, value: rules }] : []),
  ]
}

/** The config that a server in this folder would read. */
async function configIn(folder: string, settings: object): Promise<string> {
  const [found] = await findConfigs(folder)
  if (found === undefined) return join(folder, 'restable.config.json')
  if (!isConfigModule(found) && !isPackageFile(found)) return found
  throw new ConfigError(
    `import: ${shown(found)} has the settings, and is not changed here. Nothing was written. Add to it: ${JSON.stringify(settings)}`,
  )
}

/** Without the password, which belongs to no file. */
function addressToKeep(address: string, schema: string | undefined): string {
  const url = new URL(address)
  url.password = ''
  if (schema !== undefined) url.searchParams.set('schema', schema)
  return url.href
}

async function readOld({ path, kind, value }: Target): Promise<Readonly<Record<string, unknown>>> {
  const old = await readJsonFile(path)
  if (kind === 'rows') return { [Object.keys(value)[0] ?? '']: old }
  if (isObject(old)) return old
  throw new ConfigError(`import: ${shown(path)} holds no object. Nothing was written.`)
}

function together(
  old: Readonly<Record<string, unknown>>,
  { kind, value }: Target,
  { described, merge }: { readonly described: DescribedData; readonly merge: boolean },
) {
  const { settings } = described
  const isData = kind === 'data' || kind === 'rows'
  const idOf = (name: string) => String(Object(settings.resources?.[name]).id ?? settings.id ?? 'id')
  if (merge) return isData ? mergeData(old, value, idOf) : mergeMissing(old, value)
  const resources = isObject(old.resources) &&
    isObject(value.resources) && { ...old.resources, ...value.resources }
  return { value: { ...old, ...value, ...(resources && { resources }) }, differing: 0 }
}

/** The content of a file: rows alone in a folder. */
function contentOf({ kind }: Target, value: Readonly<Record<string, unknown>>): unknown {
  return kind === 'rows' ? Object.values(value)[0] : value
}

/** Makes folders that are missing, and returns the first of each. */
async function makeFolders(paths: readonly string[]): Promise<readonly string[]> {
  const made: string[] = []
  for (const path of new Set(paths)) {
    const first = await mkdir(path, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
      throw new ConfigError(`import: the folder ${shown(path)} cannot be made (${cause.code}).`, { cause })
    })
    if (first !== undefined) made.push(first)
  }
  return made
}

async function filter<T>(list: readonly T[], test: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  const tested = await Promise.all(list.map(test))
  return list.filter((_, at) => tested[at])
}

function shown(path: string): string {
  const short = relative('.', path)
  return short.startsWith('..') ? path : short || basename(path)
}

export function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
