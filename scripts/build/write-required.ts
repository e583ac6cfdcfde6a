import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFile } from './replace-file.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Modules that json-server 0.17.4 has under `lib/server` and `lib/cli`: some programs require them. */
const INNER = {
  'body-parser': 'library.bodyParser',
  defaults: 'library.defaults',
  rewriter: 'library.rewriter',
  router: 'library.router',
  run: 'run.runParsed',
}

/** Writes what programs import and require, and json-server's own paths. */
export async function writeRequired(): Promise<void> {
  await write('lib/cli/bin.js', "#!/usr/bin/env node\nimport '../../dist/bundle/bin.cjs'\n")
  await write(
    'dist/bundle/index.cjs',
    "require('./lend-express-4-paths.cjs').lendToRequirer(module)\nmodule.exports = require('./library.cjs')\n",
  )
  const { default: _, ...exported }: object & { default?: unknown } = createRequire(import.meta.url)(
    `${ROOT}dist/bundle/library.cjs`,
  )
  await write('dist/bundle/index.js', imported(Object.keys(exported)))
  await write('dist/bundle/index.d.cts', indexTypes(exported))
  for (const [name, value] of Object.entries(INNER)) {
    const [module = '', member = ''] = value.split('.')
    await write(`dist/lib/${name}.cjs`, `module.exports = require('../bundle/${module}.cjs').${member}\n`)
    await write(`dist/lib/${name}.d.cts`, innerTypes(module === 'library' ? 'index' : module, member))
  }
}

/** One copy of all code, however it is loaded. */
function imported(names: readonly string[]): string {
  return [
    "import library from './library.cjs'",
    `export const { ${names.join(', ')} } = library`,
    'export default library.default',
    '',
  ].join('\n')
}

/** Compilers before TypeScript 5.8 refuse to `require` an ES module, and its types with it: so all since 5.3 take them. */
function importTypes(name: string, path: string): string {
  return `import type * as ${name} from '${path}' with { 'resolution-mode': 'import' };`
}

function innerTypes(module: string, member: string): string {
  return `${importTypes('all', `../bundle/${module}.js`)}\ndeclare const member: typeof all.${member};\nexport = member;\n`
}

/** Types come along as they are; what also exists at run time has to be declared, name by name. */
function indexTypes(exported: object): string {
  return [
    importTypes('all', './index.js'),
    "export type * from './index.js' with { 'resolution-mode': 'import' };",
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

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(`${ROOT}${path}`), { recursive: true })
  await replaceFile(`${ROOT}${path}`, content)
}
