import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findConfig, readConfigFile, readJsonFile } from '../../src/app/config-file.ts'
import { ConfigError } from '../../src/errors.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restable-config-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error as ConfigError
  expect(message).not.toContain('\n')
  return message
}

describe('findConfig', () => {
  it('finds the new name before the old one, and nothing where there is none', async () => {
    const place = join(folder, 'find')
    await mkdir(place)
    expect(await findConfig(place)).toBeUndefined()
    await writeFile(join(place, 'json-server.json'), '{}')
    expect(await findConfig(place)).toBe(join(place, 'json-server.json'))
    await writeFile(join(place, 'json-server.config.json'), '{}')
    expect(await findConfig(place)).toBe(join(place, 'json-server.config.json'))
  })
})

describe('readConfigFile', () => {
  it('reads settings in either spelling, after a byte order mark too', async () => {
    const file = await written('fine.json', '\uFEFF{ "port": 0, "no-gzip": true, "middlewares": ["cors"] }')
    expect(await readConfigFile(file)).toEqual({ port: 0, noGzip: true, middlewares: ['cors'] })
  })

  it('names the file in a fault of a key', async () => {
    const file = await written('wrong.json', '{ "port": "3000" }')
    expect(await faultOf(readConfigFile(file))).toBe(
      `${file}: "port" must be a whole number from 0 to 65535, not the text "3000". Write "port": 3000 without quotes.`,
    )
  })

  it('understands a file of the old name as json-server did', async () => {
    const old = await written(
      'json-server.json',
      '{ "p": "3004", "nc": true, "delay": "10", "fks": "_id", "m": "a.js" }',
    )
    expect(await readConfigFile(old)).toEqual({
      port: 3004,
      noCors: true,
      delay: 10,
      foreignKeySuffix: '_id',
      middlewares: ['a.js'],
    })
    const unknown = await written('json-server.json', '{ "prot": 1 }')
    expect(await faultOf(readConfigFile(unknown))).toMatch(/json-server\.json: there is no setting "prot"/)
  })
})

describe('readJsonFile', () => {
  it.each([
    ['{\n  "port": 3000,\n}', 'line 3, column 1. Remove the comma before it.'],
    ['{\n  // my port\n  "port": 3000\n}', 'line 2, column 3. JSON has no comments: remove it.'],
    ["{ 'port': 3000 }", 'line 1, column 3. Use double quotes.'],
    ['{ "port": 3000 "host": "x" }', 'line 1, column 16. Correct it there.'],
    ['{ "port": 3000', 'line 1, column 15. Correct it there.'],
    ['  ', 'the file is empty. Put at least {} into it.'],
  ])('says where %j is no JSON', async (text, end) => {
    const file = await written('broken.json', text)
    const fault = await faultOf(readJsonFile(file))
    expect(fault.startsWith(`${file}: `)).toBe(true)
    expect(fault.endsWith(end)).toBe(true)
  })

  it('says that a file is missing, or a folder', async () => {
    expect(await faultOf(readJsonFile('nowhere.json'))).toBe(
      'nowhere.json: there is no such file. Check the path, or leave it out.',
    )
    expect(await faultOf(readJsonFile(folder))).toBe(`${folder}: this is a folder. Name a JSON file.`)
  })
})
