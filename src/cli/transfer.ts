import { exportData, importData } from '../app/source/transfer.ts'
import { shownSource } from '../app/source/explain-source.ts'
import type { Command } from './args.ts'
import { ProgressBar } from './progress-bar.ts'
import type { Printers } from './save-on-s.ts'
import { INTERRUPTED, untilAskedToStop } from './signals.ts'

/** `restable import` and `restable export`: moves all data. Returns the exit code. */
export async function transfer(
  { way, from, to, options }: Command & { kind: 'transfer' },
  { print, printError }: Printers,
): Promise<number> {
  const bar = new ProgressBar(process.stderr)
  const stop = new AbortController()
  untilAskedToStop().then(() => stop.abort())
  const all = { ...options, signal: stop.signal, onProgress: bar.show.bind(bar) }
  try {
    const { resources, rows } = await (way === 'export'
      ? exportData({ ...all, from, to: to === '-' ? process.stdout : to })
      : importData({ ...all, from: from === '-' ? process.stdin : from, to }))
    bar.clear()
    const start = from === '-' ? 'standard input' : shownSource(from)
    const end = to === '-' ? 'standard output' : shownSource(to)
    const tell = to === '-' ? printError : print
    tell(`${counted(rows, 'row')} of ${counted(resources, 'resource')}: ${start} → ${end}`)
    return 0
  } catch (error) {
    bar.clear()
    if (!stop.signal.aborted) throw error
    const left = to === '-' ? 'part of the data is missing' : 'nothing was changed'
    printError(`The ${way} was interrupted: ${left}.`)
    return INTERRUPTED
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
