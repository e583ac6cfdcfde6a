import { isAbsolute, relative } from 'node:path'
import { findJsonFault } from '../json/json-scanner.ts'
import { readRegular } from '../storage/file/regular-file.ts'

/** Reports reloads, and each problem once until it is solved. */
export class ReloadLines {
  readonly #print: (line: string) => void
  readonly #faults = new Map<string, string>()

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  reloaded(paths: readonly string[], names: Iterable<string>): void {
    for (const name of names) this.over(name)
    if (paths.length > 0) this.#print(`${paths.map(shown).join(', ')} changed, reloaded.`)
  }

  /** The current version of `name` cannot be used. */
  async failed(name: string, error: unknown): Promise<void> {
    const message = (await isUnfinished(name)) ? `${name} is empty or half-written.` : messageOf(error)
    if (this.#faults.get(name) === message) return
    this.#faults.set(name, message)
    this.#print(`Not reloaded, the old version stays in use: ${message}`)
  }

  over(name: string): void {
    this.#faults.delete(name)
  }

  say(line: string): void {
    this.#print(line)
  }
}

/** Whether a JSON file ends too early. Each piece of a slow writer is a new error; to people it is the same. */
async function isUnfinished(file: string): Promise<boolean> {
  if (!/\.json$/i.test(file)) return false
  const contents = await readRegular(file, file).catch(() => undefined)
  if (contents === undefined) return false
  const text = contents.bytes.toString()
  try {
    JSON.parse(text)
    return false
  } catch {
    return /^[\\\w.+-]*\s*$/.test(text.slice(findJsonFault(text).at))
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? ''
}

function shown(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}
