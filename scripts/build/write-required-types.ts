import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Compilers before TypeScript 5.8 refuse to `require` an ES module, and its types with it. */
const REQUIRED = /^import (\w+) = require\((['"][^'"]+['"])\);?$/gm

/**
 * Writes types for CommonJS that refer to those of the ES modules in a way that every compiler since 5.3 takes. What the
 * compiler itself wrote would need one that knows `require` of ES modules.
 */
export async function writeRequiredTypes(): Promise<void> {
  for (const name of await readdir(`${DIST}lib`)) {
    if (!name.endsWith('.d.cts')) continue
    const file = `${DIST}lib/${name}`
    const types = (await readFile(file, 'utf8')).replace(REQUIRED, (_, all, path) => importTypes(all, path))
    await writeFile(file, types)
  }
  const { default: _, ...exported }: object & { default?: unknown } = await import(`${DIST}index.js`)
  await writeFile(`${DIST}index.d.cts`, indexTypes(exported))
}

function importTypes(name: string, path: string): string {
  return `import type * as ${name} from ${path} with { 'resolution-mode': 'import' };`
}

/** Types come along as they are; what also exists at run time has to be declared, name by name. */
function indexTypes(exported: object): string {
  return [
    importTypes('all', "'./index.ts'"),
    "export type * from './index.ts' with { 'resolution-mode': 'import' };",
    ...Object.entries(exported).flatMap(([name, value]) => [
      `export declare const ${name}: typeof all.${name};`,
      ...(isClass(value) ? [`export type ${name} = all.${name};`] : []),
    ]),
    'declare const restable: typeof all.default;',
    'export default restable;',
    '',
  ].join('\n')
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
