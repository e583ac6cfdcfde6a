import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blameFile } from '../../src/config/config-file.ts'
import { ConfigError } from '../../src/core/kernel/catalogue/error-classes.ts'
import type { Settings } from '../../src/features/settings.ts'
import { start } from '../../src/serve/start.ts'
import { folderOf } from '../support/folder.ts'

const PATH = 'json-server.config.json'

/** What a start says that cannot succeed, with these settings from a file and those from elsewhere. */
async function faultOf(settings: Settings, flags: Settings = {}): Promise<string> {
  const all = { data: {}, ...settings, ...flags }
  const configFile = { path: PATH, read: async () => all, decidedElsewhere: Object.keys(flags) }
  const error = await start({ ...all, configFile }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  return error instanceof Error ? error.message : ''
}

it.each<[Settings, string]>([
  [{ middlewares: ['jwt'], jwt: { expiresIn: '3600' } }, 'jwt.expiresIn: "3600" is not a lifetime'],
  [
    { middlewares: ['api-key'], apiKey: { keys: {} } },
    '"apiKey.keys" must be an object that maps at least one key to a list of permissions: it is empty, so no key',
  ],
  [{ middlewares: ['./nowhere.cjs'] }, 'middlewares: there is no file "./nowhere.cjs"'],
  [{ ssl: { cert: 'no.pem', key: 'no.pem' } }, 'ssl.cert: cannot read no.pem'],
  [{ ssl: { cert: 'no.pem' } }, '"ssl.cert" needs "ssl.key"'],
])('names the config file in the fault of %j', async (settings, fault) => {
  expect(await faultOf(settings)).toMatch(`${PATH}: ${fault}`)
})

it('does not name it if flags are at fault', async () => {
  expect(await faultOf({ port: 0 }, { middlewares: ['./nowhere.cjs'] })).toMatch(/^middlewares: /)
})

it('names the key of package.json as well', () => {
  const error = new ConfigError('middlewares: there is no file "./a.js"')
  const blamed = blameFile(error, { path: 'package.json' }, { middlewares: ['./a.js'] })
  expect(String(blamed)).toBe('ConfigError: package.json, restable: middlewares: there is no file "./a.js"')
  expect(blameFile(blamed, { path: 'package.json' }, { middlewares: ['./a.js'] })).toBe(blamed)
})

it('does not name it before another file', async () => {
  const routes = join(folderOf(), 'routes.json')
  expect(await faultOf({ routes })).toBe(`${routes}: there is no such file. Check the path, or leave it out.`)
})

it.each([
  new ConfigError('routes.json: there is no such file.'),
  new ConfigError(`${PATH}: "port" must be less`),
  new ConfigError('JWT_SECRET must be a string'),
  new Error('routes: broken'),
])('leaves "%s" unchanged', (error) => {
  expect(blameFile(error, { path: PATH }, { routes: 'routes.json', port: 1 })).toBe(error)
})
