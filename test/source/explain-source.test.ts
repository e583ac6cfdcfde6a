import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { open } from '../../src/index.ts'
import { folderOf } from '../support/folder.ts'

let folder = ''
const LONG = 'an-export-of-all-customers-and-their-orders-2026-01.json'
const FOLDER = 'one-folder-with-a-long-name-of-many-short-words'
beforeAll(async () => {
  folder = folderOf()
  const names = [...Array.from({ length: 500 }, (_, at) => `a${1000 + at}.json`), 'products.json', LONG]
  await Promise.all(names.map((name) => writeFile(join(folder, name), '{}')))
  await mkdir(join(folder, FOLDER))
})

it.each([
  ['prodcuts.jsn', 'products.json'],
  [LONG.replace('orders', 'odrers').replace('json', 'jsn'), LONG],
  [`${FOLDER.replace('name', 'nmae')}/`, `${FOLDER}/`],
])(
  'a missing source gets the name of a similar one, however many there are, and how long: %s',
  async (source, similar) => {
    const missing = open({ source: join(folder, source) })
    await expect(missing).rejects.toThrow(`Did you mean ${join(folder, similar)}`)
  },
)
