import { setImmediate } from 'node:timers/promises'
import { type DescribeDataOptions, type DescribedData, describeData } from './describe-data.ts'
import { isDescription, readDocument } from './read-document.ts'
import { linesOf } from './report.ts'
import {
  type ImportDescriptionOptions,
  type ImportedDescription,
  textOf,
  writeImport,
} from './write-import.ts'

/** Undefined if the file is no description. */
export async function runImport(options: ImportDescriptionOptions): Promise<ImportedDescription | undefined> {
  const { from, to, dryRun = false, strict = false, signal } = options
  const described = await describeFile(from, options)
  if (!described) return undefined
  const { report } = described
  const isRefused = strict && report.unused.length > 0
  const isAlone = to === '-'
  const text = isAlone && !isRefused && !dryRun ? textOf(described.data) : undefined
  // Signals are heard between the steps.
  await setImmediate()
  signal?.throwIfAborted()
  const onTop = isAlone || isRefused || dryRun ? [] : await writeImport(described, options)
  return { report, lines: linesOf(report, onTop), text, isDone: !isRefused }
}

export async function describeFile(
  file: string,
  options: DescribeDataOptions,
): Promise<DescribedData | undefined> {
  const root = await readDocument(file)
  return isDescription(root) ? describeData(root, file, options) : undefined
}
