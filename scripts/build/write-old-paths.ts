import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../lib/cli/', import.meta.url))

const PROGRAM = `#!/usr/bin/env node
import '../../dist/bin.js'
`

/** Writes a program where json-server 0.17.4 has its own: debuggers and scripts run it by this path. */
export async function writeOldPaths(): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(`${FOLDER}bin.js`, PROGRAM)
}
