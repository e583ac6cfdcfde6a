import type { FoundReference } from './references.ts'

export interface ImportReport {
  readonly resources: Readonly<Record<string, ImportedResource>>
  /** Answers kept whole. */
  readonly kept: number
  readonly operations: { readonly all: number; readonly used: number; readonly unused: number }
  /** All that was not used: operations, and other parts. */
  readonly unused: readonly Unused[]
}

export interface ImportedResource {
  readonly rows: number
  readonly examples: number
  readonly made: number
  /** Values of examples that do not fit the schema. */
  readonly replaced: number
  readonly schema: boolean
  /** Fields, and the collections that they point at. */
  readonly references: Readonly<Record<string, string>>
  readonly shape: string | undefined
}

export interface Unused {
  readonly place: string
  readonly why: string
}

export function referencesIn(references: readonly FoundReference[]): Readonly<Record<string, string>> {
  return Object.fromEntries(references.map(({ field, resource }) => [field, resource]))
}

/** The lines of a report for people. @param onTop what became of files that were there */
export function linesOf(report: ImportReport, onTop: readonly string[]): readonly string[] {
  const { resources, operations, unused } = report
  const rows = Object.entries(resources).map(([name, each]) => {
    const parts = [
      ...(each.examples > 0 ? [`${each.examples} from examples`] : []),
      ...(each.made > 0 ? [`${each.made} made`] : []),
      ...(each.replaced > 0 ? [counted(each.replaced, 'value', ' replaced')] : []),
      ...Object.entries(each.references).map(([field, target]) => `${field} → ${target}`),
    ]
    const about = parts.length > 0 ? ` (${parts.join(', ')})` : ''
    return `  ${name}: ${counted(each.rows, 'row')}${about}`
  })
  const used = `${operations.used} of ${counted(operations.all, 'operation')} used`
  return [
    ...onTop,
    `${counted(rows.length, 'resource')}, ${used}`,
    ...rows,
    ...(unused.length > 0 ? ['Not used:', ...unused.map(({ place, why }) => `  ${place}: ${why}`)] : []),
  ]
}

function counted(count: number, what: string, end = ''): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}${end}`
}
