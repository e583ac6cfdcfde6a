import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where `os.tmpdir()` looks, on every system. */
const NAMES = ['TMPDIR', 'TMP', 'TEMP']

/**
 * A folder for the temporary files of this run. Tests remove their own; what a failed one, a killed process or a browser
 * leaves behind goes with the folder.
 */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'restable-run-'))
  // As the system's own: some tests start processes of another user, which keep locks there.
  chmodSync(folder, 0o1777)
  for (const name of NAMES) process.env[name] = folder
  // There are packages in it: meanwhile, vitest ends its processes.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
