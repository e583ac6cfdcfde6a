import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, resolve, sep } from 'node:path'

/** A relative specifier after `from`, `import` or `require`. */
const RELATIVE_IMPORT = /\b(?:from|import|require)\b\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n?#]+)/g

/** A module and what it imports from the project, by scanning the text. Missing files are included: they may appear. */
export async function moduleFiles(entry: string): Promise<readonly string[]> {
  const found = new Set<string>()
  const walk = async (file: string): Promise<void> => {
    if (found.has(file) || file.includes(`${sep}node_modules${sep}`)) return
    found.add(file)
    if (!/\.[cm]?[jt]sx?$/.test(file)) return
    const text = await readFile(file, 'utf8').catch(() => '')
    const imports = [...text.matchAll(RELATIVE_IMPORT)].map((match) => match[2] ?? '')
    await Promise.all(imports.map((name) => walk(locate(resolve(dirname(file), name)))))
  }
  await walk(locate(resolve(entry)))
  return [...found]
}

/** TypeScript files import each other by the names of their compiled output. */
function locate(path: string): string {
  return resolveModule(path) ?? resolveModule(path.replace(/\.([cm]?)js$/, '.$1ts')) ?? path
}

const require = createRequire(import.meta.url)

/** Resolves a path the way Node does: the file, the file without its extension, the main file of a folder. */
export function resolveModule(path: string): string | undefined {
  try {
    return require.resolve(path)
  } catch {
    return undefined
  }
}
