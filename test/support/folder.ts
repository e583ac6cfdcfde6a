import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder with these files, until the run ends: see temp-folder.ts. Content that is not text is written as JSON. */
export function folderOf(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'restable-')))
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, isText(content) ? content : JSON.stringify(content))
  }
  return folder
}

/** The path of a file in a folder of its own. */
export function fileOf(content: unknown, name = 'db.json'): string {
  return join(folderOf({ [name]: content }), name)
}

function isText(content: unknown): content is string | Uint8Array {
  return typeof content === 'string' || content instanceof Uint8Array
}
