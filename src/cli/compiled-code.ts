import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rm, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { Script } from 'node:vm'

const BUNDLE = dirname(fileURLToPath(import.meta.url))
const FOLDER = fileURLToPath(new URL('../../dist/compiled', import.meta.url))
const FILE = `${FOLDER}/${process.version}-${process.arch}`
/** By then a server has started, and commands that only print have ended. */
const KEEP_AFTER_MS = 1000
/** Only what Node itself compiled can import. */
const IMPORT = /(?<![\w.])import\(/
/** In hexadecimal. */
const HASH_LENGTH = 64

interface Compiled {
  readonly code: Buffer
  /** V8 itself compares only the lengths of sources. */
  readonly sourceHash: string
}

interface Loaded {
  readonly script: Script
  readonly sourceHash: string
}

/**
 * Keeps the compiled code of the bundle in its package for the next start, which takes a quarter less. Node 22 and later
 * keep compiled code by themselves, and obey the same variable.
 */
export function keepCompiledCode(): void {
  if (process.env.NODE_DISABLE_COMPILE_CACHE || process.env.NODE_V8_COVERAGE) return
  const kept = readKept()
  const loaded = new Map<string, Loaded>()
  let isComplete = true

  const { extensions } = createRequire(import.meta.url)
  const loadOthers = extensions['.js']
  extensions['.js'] = (module, path) => {
    const isOurs = dirname(path) === BUNDLE && path.endsWith('.cjs')
    const source = isOurs ? readFileSync(path, 'utf8') : undefined
    if (source === undefined || IMPORT.test(source)) return loadOthers?.(module, path)
    const sourceHash = hashOf(source)
    const compiled = kept.get(basename(path))
    const code = compiled?.sourceHash === sourceHash ? compiled.code : undefined
    const script = new Script(nodeModule.wrap(source), { filename: path, cachedData: code })
    if (!code || script.cachedDataRejected) isComplete = false
    loaded.set(basename(path), { script, sourceHash })
    script.runInThisContext().call(module.exports, module.exports, createRequire(path), module, path, BUNDLE)
  }

  setTimeout(() => {
    if (!isComplete) keep(kept, loaded)
    loaded.clear()
    kept.clear()
  }, KEEP_AFTER_MS).unref()
}

function readKept(): Map<string, Compiled> {
  try {
    const file = readFileSync(FILE)
    const content = file.subarray(HASH_LENGTH)
    if (file.subarray(0, HASH_LENGTH).toString() === hashOf(content)) return deserialize(content)
  } catch {
    // Not there yet, or not readable.
  }
  return new Map()
}

/** Whatever fails here, only the next start is slower: the package may be read-only. */
function keep(before: ReadonlyMap<string, Compiled>, loaded: ReadonlyMap<string, Loaded>): void {
  const unfinished = `${FILE}.${process.pid}`
  try {
    mkdirSync(FOLDER, { recursive: true })
    // What another start needed is kept, too.
    const compiled = new Map([...before].filter(([name]) => existsSync(join(BUNDLE, name))))
    for (const [name, { script, sourceHash }] of loaded)
      compiled.set(name, { code: script.createCachedData(), sourceHash })
    const content = serialize(compiled)
    writeFileSync(unfinished, Buffer.concat([Buffer.from(hashOf(content)), content]))
    renameSync(unfinished, FILE)
  } catch {
    rm(unfinished, { force: true }, () => {})
  }
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
