import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The licenses of all bundled packages, as they require. */
export async function licensesOf(modules: readonly string[], root: string): Promise<string> {
  const folders = new Set<string>()
  for (const module of modules) {
    const folder = /^([^\0].*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
    if (folder !== undefined) folders.add(folder)
  }
  const texts = [...folders].sort().map(async (folder) => {
    const names = await readdir(folder)
    const license = names.find((name) => /^licen[cs]e/i.test(name))
    const text = license ? await readFile(join(folder, license), 'utf8') : 'See its package.json.'
    return `${relative(root, folder)}\n\n${text.trim()}\n`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}
