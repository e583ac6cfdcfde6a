import type { DescribeDataOptions, DescribedData } from './describe-data.ts'
import { mayBeDescription } from './read-document.ts'
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

/**
 * Makes data, a config and rewrite rules of an OpenAPI document, all or none. Resolves with undefined if the file is none.
 * @example await importDescription({ from: 'openapi.yaml', to: 'db.json', rows: 20 })
 */
export async function importDescription(
  options: ImportDescriptionOptions,
): Promise<ImportedDescription | undefined> {
  if (!(await mayBeDescription(options.from))) return undefined
  const { runImport } = await import('./run-import.ts')
  return runImport(options)
}

/** The same, to be served from memory. Undefined if the file is no description. */
export async function openDescription(file: string): Promise<DescribedData | undefined> {
  if (!(await mayBeDescription(file))) return undefined
  const { describeFile } = await import('./run-import.ts')
  return describeFile(file, {})
}
