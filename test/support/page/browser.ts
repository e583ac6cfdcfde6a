import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The system's own Chromium: Playwright's download is not needed, and not wanted. */
export const CHROMIUM = findProgram(['chromium', 'chromium-browser', 'google-chrome'])

/** Quiet on the network: the browser talks only to the server under test. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
