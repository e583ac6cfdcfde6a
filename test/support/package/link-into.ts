import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Hard links, since npm never writes into a file: or copies, where the folder is on another disk. */
export async function linkInto(folder: string, paths: readonly string[]): Promise<void> {
  const copy = (flags: string) => promisify(execFile)('cp', [flags, ...paths, folder])
  await copy('-Rl').catch(() => copy('-Rf'))
}
