import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { followApi, type Settings } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'

it('a description that is followed goes without a setting that was taken out of the config file', async () => {
  const folder = folderOf()
  const [source, path] = [join(folder, 'db.json'), join(folder, 'config.json')]
  await writeFile(source, '{"posts": [{"id": 1, "title": "Hello"}]}')
  await writeFile(path, '{"readOnly": true}')
  let settings: Settings = { source, readOnly: true }
  const heard: string[] = []
  const close = await followApi(
    { ...settings, configFile: { path, read: async () => settings } },
    { hear: async (api) => heard.push(await api.types()), fail: (error) => heard.push(String(error)) },
  )
  onTestFinished(close)
  expect(heard.map((types) => types.includes('NewPost'))).toEqual([false])
  settings = { source }
  await writeFile(path, '{}')
  await expect.poll(() => heard.map((types) => types.includes('NewPost'))).toEqual([false, true])
})
