import { readFile, rename, writeFile } from 'node:fs/promises'

/** Atomically, and only if it changed: a server may be starting from it. */
export async function replaceFile(path: string, contents: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => undefined)
  if (present === contents) return
  const aside = `${path}.${process.pid}`
  await writeFile(aside, contents)
  await rename(aside, path)
}
