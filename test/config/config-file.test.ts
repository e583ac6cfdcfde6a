import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findConfigs, readJsonFile } from '../../src/config/config-file.ts'
import { ConfigError } from '../../src/core/kernel/catalogue/error-classes.ts'
import { readConfigFile } from '../../src/features/settings.ts'
import { folderOf } from '../support/folder.ts'

const folder = folderOf()

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

describe('findConfigs', () => {
  it("finds our own name before json-server's, those before package.json, and nothing where there is none", async () => {
    const place = join(folder, 'find')
    await mkdir(place)
    expect(await findConfigs(place)).toEqual([])
    const files = [
      ['package.json', '{ "restable": {} }'],
      ['json-server.json', '{}'],
      ['json-server.config.json', '{}'],
      ['restable.config.json', '{}'],
      ['restable.config.mjs', 'export default {}'],
      ['restable.config.js', 'export default {}'],
      ['restable.config.ts', 'export default {}'],
    ] as const
    for (const [name, text] of files) {
      await writeFile(join(place, name), text)
      expect((await findConfigs(place))[0]).toBe(join(place, name))
    }
    expect(await findConfigs(place)).toEqual(files.map(([name]) => join(place, name)).toReversed())
  })

  it.each([
    ['without settings', '{ "name": "x" }'],
    ['that only depends on us', '{ "dependencies": { "restable": "1" } }'],
    ['that is broken', '{ "name": '],
    ['that is empty', ''],
    ['that is a list', '["restable"]'],
  ])('does not take a package.json %s for a config', async (title, text) => {
    const place = join(folder, title)
    await mkdir(place)
    await writeFile(join(place, 'package.json'), text)
    expect(await findConfigs(place)).toEqual([])
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
      `${file}: "port" must be a whole number from 0 to 65535, not the string "3000". Write "port": 3000 without quotes.`,
    )
  })

  it('reads a file with the old name as json-server did', async () => {
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

describe('settings in package.json', () => {
  it('stand under "restable"', async () => {
    const file = await written('package.json', '{ "name": "x", "restable": { "port": 0, "no-gzip": true } }')
    expect(await readConfigFile(file)).toEqual({ port: 0, noGzip: true })
  })

  it.each([
    ['{ "restable": { "port": "3000" } }', ', restable: "port" must be a whole number'],
    ['{ "restable": { "prot": 3000 } }', ', restable: there is no setting "prot". Did you mean "port"?'],
    ['{ "restable": { "p": 3000 } }', ', restable: there is no setting "p".'],
    [
      '{ "restable": "x.json" }',
      ', restable: the settings must be an object of settings, not the string "x.json".',
    ],
    ['{ "name": "x" }', ': it has no "restable" key.'],
    ['{ "name": }', ': not valid JSON'],
  ])('are refused with file and key: %s', async (text, fault) => {
    const file = await written('package.json', text)
    expect((await faultOf(readConfigFile(file))).startsWith(file + fault)).toBe(true)
  })
})

describe('readJsonFile', () => {
  it.each([
    ['{\n  "port": 3000,\n}', 'line 3, column 1. Remove the comma before it.'],
    ['{\n  // my port\n  "port": 3000\n}', 'line 2, column 3. JSON has no comments: remove it.'],
    ["{ 'port': 3000 }", 'line 1, column 3. Use double quotes.'],
    ['{ "port": 3000 "host": "x" }', 'line 1, column 16. Add the comma that is missing before it.'],
    ['{ "port": 3000', 'line 1, column 15. The text ends there: something was not closed.'],
    ['  ', 'the file is empty. Put at least {} in it.'],
  ])('says where %j is not JSON', async (text, end) => {
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

  it('says that a file is not UTF-8', async () => {
    const file = await written('latin.json', '')
    await writeFile(file, Buffer.from('{ "static": "caf\xe9" }', 'latin1'))
    expect(await faultOf(readJsonFile(file))).toBe(`${file}: this is not UTF-8 text. Save it as UTF-8.`)
  })
})
