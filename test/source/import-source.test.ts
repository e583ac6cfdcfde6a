import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseArgs } from '../../src/cli/args.ts'
import type { ImportOptions } from '../../src/index.ts'
import { readImport } from '../../src/source/import-source.ts'
import { checkEnds } from '../../src/source/transfer.ts'
import { folderOf } from '../support/folder.ts'

const TO = 'postgres://user@localhost/x'
const FILES = {
  'tags.json': ' [{ "id": 1 }, { "id": 2 }]',
  'users.csv': 'id,name\n1,Ada\n',
  'theme.yaml': 'dark: true\n',
}
const TAGS = { tags: [{ id: 1 }, { id: 2 }] }
const ALL = { ...TAGS, theme: { dark: true }, users: [{ id: 1, name: 'Ada' }] }

async function imported(from: ImportOptions['from']): Promise<unknown> {
  checkEnds('import', from, TO)
  return readImport(from, new AbortController().signal, () => {})
}

it.each<[string, readonly string[], object]>([
  ['a list', ['tags.json'], TAGS],
  ['a folder', [''], ALL],
  ['several files', Object.keys(FILES), ALL],
])('%s is imported as it is served', async (_, names, data) => {
  const folder = folderOf({ ...FILES, 'package.json': '{}' })
  const paths = names.map((name) => join(folder, name))
  const command = parseArgs(['import', ...paths, TO])
  expect(command).toMatchObject({ kind: 'transfer', to: TO })
  expect(await imported(Object(command).from)).toEqual(data)
})

it.each([
  [
    ['a.json', 'b.txt'],
    'import: the file has to be a data file, as restable serves them, or a folder of them. "b.txt" is not one.',
  ],
  [['a.json', TO], 'import: both are databases.'],
])('%j are not imported together', async (from, message) => {
  await expect(imported(from)).rejects.toThrow(message)
})
