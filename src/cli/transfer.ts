import { exportData, importData, shownSource } from '../index.ts'
import type { Command } from './args.ts'

/** Parts of the bar. */
const WIDTH = 30

/** `restable import` and `restable export`: moves all data, and shows how far it is where somebody looks on. */
export async function transfer(
  { way, options }: Command & { kind: 'transfer' },
  print: (line: string) => void,
): Promise<void> {
  const { from, to } = options
  const isShown = process.stderr.isTTY === true
  const onProgress = (rows: number, all: number) => {
    const done = Math.floor((WIDTH * rows) / Math.max(all, 1))
    process.stderr.write(`\r  ${'█'.repeat(done)}${'░'.repeat(WIDTH - done)}  ${rows} of ${all} rows `)
  }
  const move = way === 'import' ? importData : exportData
  const { resources, rows } = await move({ ...options, ...(isShown && { onProgress }) })
  if (isShown) process.stderr.write('\r\x1b[K')
  print(`${rows} rows of ${resources} resources: ${shownSource(from)} → ${shownSource(to)}`)
}
