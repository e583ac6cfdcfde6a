import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { typesText } from '../../../src/schema/typescript/types-text.ts'
import { modelOf } from '../../support/describable.ts'

const DATA = {
  companies: [{ id: 1, name: 'Acme' }],
  products: [{ id: 1, name: 'Desk', price: 1.5, company_id: 1, tag_ids: [1] }],
  tags: [{ id: 1, label: 'new' }],
  profile: { theme: 'dark' },
}

/** What compiles, and what must not: the compiler complains of an error that it expected and did not find. */
const PROGRAM = `
import type { NewProduct, Paths, Product, Resources } from './api.js'

type Data<Path extends keyof Paths, Method extends keyof Paths[Path]> =
  Paths[Path][Method] extends { data: infer Found } ? Found : never
declare function get<Path extends keyof Paths>(path: Path): Data<Path, 'GET' & keyof Paths[Path]>

const list = get('/products')
const name: string | undefined = list[0]?.company?.products?.[0]?.tags?.[0]?.label
const item = get('/companies/{id}/products/{childId}')
const plain: Product = item
const theme: string = get('/profile').theme
const all: Resources['products'] = list

const fresh: NewProduct = { name: 'Lamp', price: 2, company_id: 1, tag_ids: [] }
const nested: Paths['/companies/{id}/products']['POST']['body'] = { name: 'Lamp', price: 2, tag_ids: [] }
const replaced: Paths['/companies/{id}/products/{childId}']['PUT']['body'] = nested
const some: Paths['/products']['PATCH'] = { body: { price: 3 }, data: [plain] }
const gone: Paths['/products']['DELETE']['data'] = {}

// @ts-expect-error: only what _expand was asked for is there
const sure: string = item.company.name
// @ts-expect-error: a missing field
const lacking: NewProduct = { name: 'Lamp' }
// @ts-expect-error: the path has the foreign key
const twice: Paths['/companies/{id}/products']['POST']['body'] = { ...nested, company_id: 2 }
// @ts-expect-error: an item, not a list
const wrong: Paths['/products']['PATCH'] = { body: {}, data: plain }
// @ts-expect-error: there is no such path
get('/tags/{id}/products')
// @ts-expect-error: a write has no relations
const written = (answer: Paths['/products']['POST']['data']) => answer.company

export { all, fresh, gone, lacking, name, replaced, some, sure, theme, twice, wrong, written }
`

it('the types of a database allow what the server does, and nothing else', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restable-types-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'api.d.ts'), typesText(await modelOf(DATA)))
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  const flags = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const kind = ['--module', 'nodenext', '--target', 'es2022', '--types', '']
  const compiler = resolve('node_modules/typescript/bin/tsc')
  const said = await promisify(execFile)(process.execPath, [compiler, ...flags, ...kind, 'program.ts'], {
    cwd: folder,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }))
  expect(said.stdout).toBe('')
})
