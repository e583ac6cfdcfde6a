import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/app/config.ts'
import { remarksOn } from '../../src/app/remarks.ts'
import { start } from '../../src/app/start.ts'

describe('remarks on a config', () => {
  it.each([
    ['nothing', {}],
    [
      'every layer in a good order',
      { middlewares: ['cors', 'delay', 'logger', 'rate-limit', 'api-key', 'jwt'] },
    ],
    ['files of the user behind the guards', { middlewares: ['api-key', './a.cjs', 'delay', './b.cjs'] }],
    ['options of a layer that is on', { rateLimit: { limit: 5 }, middlewares: ['rate-limit'] }],
    ['one wait for all', { delay: 500 }],
    ['a folder that is there', { static: tmpdir(), snapshots: tmpdir() }],
    ['a folder for snapshots that is still to be made', { snapshots: './no-such-folder' }],
    [
      'bearer and jwt on different paths',
      { middlewares: ['bearer', 'jwt'], bearer: { publicRoutes: ['/products'] } },
    ],
  ])('are not made about %s', (_, settings) => {
    expect(remarksOn(resolveConfig(settings))).toEqual([])
  })

  it.each([
    [{ rateLimit: { limit: 5 } }, 'rateLimit: the layer is off. Add "rate-limit" to middlewares'],
    [{ 'api-key': {}, middlewares: ['cors'] }, 'apiKey: the layer is off. Add "api-key"'],
    [{ delay: { min: 1, max: 2 } }, 'delay: the layer is off. Add "delay"'],
    [{ middlewares: ['bearer', 'jwt'] }, 'bearer and jwt both read the header Authorization'],
    [{ static: './no-such-folder' }, 'static: there is no folder "./no-such-folder"'],
    [{ static: 'package.json' }, 'static: there is no folder "package.json"'],
    [{ snapshots: 'package.json' }, 'snapshots: "package.json" is a file, so no snapshot can be saved.'],
    [{ middlewares: ['jwt', 'delay', 'cors'] }, 'cors comes after jwt'],
    [{ middlewares: ['./echo.cjs', 'api-key'] }, 'api-key comes after ./echo.cjs'],
    [{ middlewares: ['jwt', './a.cjs', 'delay', 'rate-limit'] }, 'rate-limit comes after ./a.cjs'],
    [{ middlewares: ['rate-limit', 'logger', 'jwt'] }, 'logger comes after rate-limit'],
  ])('are made about %j', (settings, remark) => {
    expect(remarksOn(resolveConfig(settings))).toEqual([expect.stringContaining(remark)])
  })

  it('are printed at the start', async () => {
    const lines: string[] = []
    const server = await start({ data: {}, rateLimit: { limit: 5 }, print: (line) => lines.push(line) })
    await server.close()
    expect(lines).toEqual([expect.stringContaining('rateLimit: the layer is off')])
  })
})
