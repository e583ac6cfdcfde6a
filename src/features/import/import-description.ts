import type { DescribedData } from './describe-data.ts'
import { mayBeDescription } from './read-document.ts'
import type { ImportDescriptionOptions, ImportedDescription } from './write-import.ts'

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
