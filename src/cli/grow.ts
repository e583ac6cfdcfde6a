import { growData } from '../index.ts'
import { shownSource } from '../internals.ts'
import type { Command } from './args.ts'
import { gatherSettings } from './gather-settings.ts'
import { isDatabase, print } from './terminal.ts'

/** `restable grow`: adds rows, and says how many. */
export async function growTo(command: Command & { kind: 'grow' }): Promise<void> {
  const { settings: flags, config, counts, seed, out } = command
  const { settings } = await gatherSettings(flags, config)
  const created = await growData({ settings, counts, seed, out })
  if (settings.quiet) return
  const added = Object.entries(created).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`)
  const target = out ?? (isDatabase(settings) ? 'the database' : shownSource(settings.source ?? ''))
  print(`Added ${added.join(', ')} to ${target}`)
}
