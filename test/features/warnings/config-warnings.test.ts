import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { featuresOn } from '../../../src/features/feature.ts'
import { FEATURES } from '../../../src/features/list.ts'
import { resolveConfig } from '../../../src/features/settings.ts'
import { configWarnings } from '../../../src/features/warnings/config-warnings.ts'
import { start } from '../../../src/serve/start.ts'

function warningsOf(settings: object): readonly string[] {
  const config = resolveConfig(settings)
  return configWarnings(config, featuresOn(FEATURES, config))
}

describe('warnings on a config', () => {
  it.each([
    ['nothing', {}],
    [
      'every layer in a good order',
      {
        middlewares: ['cors', 'delay', 'logger', 'rate-limit', 'api-key', 'jwt'],
        cors: { allowedHeaders: ['Content-Type', 'Authorization', 'x-api-key'] },
      },
    ],
    ['cors with what it allows by itself', { middlewares: ['cors', 'jwt'] }],
    ['strict and upsert without cors', { strict: true, upsert: true }],
    [
      'cors without faults',
      { middlewares: ['cors'], noFaults: true, faults: { rules: [{ on: false, status: 503 }] } },
    ],
    [
      'cors with what faults need',
      { middlewares: ['cors'], faults: { seed: 1 }, cors: { allowedHeaders: ['prefer'] } },
    ],
    ['cors without limits of sessions', { middlewares: ['cors'], sessions: false }],
    [
      'cors with what strict and upsert need',
      {
        middlewares: ['cors'],
        strict: true,
        upsert: true,
        cors: { allowedHeaders: ['prefer', 'if-match', 'If-None-Match'] },
      },
    ],
    [
      'cors with everything that strict and upsert need',
      { middlewares: ['cors'], strict: true, upsert: true, cors: { allowedHeaders: ['*'] } },
    ],
    ['guards without cors', { middlewares: ['api-key', 'jwt'] }],
    ['both doors', { allowedHosts: [], allowedOrigins: ['http://app.test'] }],
    ['one door, and no cross-origin headers', { allowedHosts: [], noCors: true }],
    ['nobody let in, and no cross-origin headers', { allowedOrigins: [], noCors: true }],
    ['files of the user behind the guards', { middlewares: ['api-key', './a.cjs', 'delay', './b.cjs'] }],
    ['options of a layer that is on', { rateLimit: { limit: 5 }, middlewares: ['rate-limit'] }],
    ['faults that are off', { faults: { rules: [{ on: false, status: 503 }] } }],
    ['faults that nobody wants', { noFaults: true, faults: { rules: [{ status: 503 }] } }],
    ['one wait for all', { delay: 500 }],
    ['a folder that is there', { static: tmpdir(), snapshots: tmpdir() }],
    ['a folder for snapshots that is still to be made', { snapshots: './no-such-folder' }],
    [
      'bearer and jwt on different paths',
      { middlewares: ['bearer', 'jwt'], bearer: { publicRoutes: ['/products'] } },
    ],
  ])('are not made about %s', (_, settings) => {
    expect(warningsOf(settings)).toEqual([])
  })

  it.each([
    [{ rateLimit: { limit: 5 } }, 'rateLimit: the layer is off. Add "rate-limit" to middlewares'],
    [{ 'api-key': {}, middlewares: ['cors'] }, 'apiKey: the layer is off. Add "api-key"'],
    [{ delay: { min: 1, max: 2 } }, 'delay: the layer is off. Add "delay"'],
    [{ middlewares: ['bearer', 'jwt'] }, 'bearer and jwt both read the Authorization header'],
    [{ faults: { rules: [{ status: 503 }] } }, 'faults: a rule makes requests fail on purpose.'],
    [
      { faults: { rules: [{ delay: 1 }, { fault: 'hang' }] } },
      'faults: 2 rules make requests fail on purpose.',
    ],
    [{ static: './no-such-folder' }, 'static: there is no folder "./no-such-folder"'],
    [{ static: ['.', './no-such-folder'] }, 'static: there is no folder "./no-such-folder"'],
    [{ static: 'package.json' }, 'static: there is no folder "package.json"'],
    [{ snapshots: 'package.json' }, 'snapshots: "package.json" is a file, so no snapshot can be saved.'],
    [
      { snapshots: 'package.json', source: 'postgres://localhost/x' },
      'snapshots: the database keeps them, for all servers that share it. The folder "package.json" is not used.',
    ],
    [{ middlewares: ['jwt', 'delay', 'cors'] }, 'cors comes after jwt'],
    [{ middlewares: ['./echo.cjs', 'api-key'] }, 'api-key comes after ./echo.cjs'],
    [{ middlewares: ['jwt', './a.cjs', 'delay', 'rate-limit'] }, 'rate-limit comes after ./a.cjs'],
    [{ middlewares: ['rate-limit', 'logger', 'jwt'] }, 'logger comes after rate-limit'],
    [{ middlewares: ['cors', 'api-key'] }, 'cors: browsers will not send X-API-KEY, which api-key needs'],
    [
      { middlewares: ['cors'], hosted: 'private' },
      'cors: browsers will not send X-API-KEY, which hosted needs',
    ],
    [
      { middlewares: ['cors', 'jwt'], cors: { allowedHeaders: ['Content-Type'] } },
      'cors: browsers will not send Authorization, which jwt needs',
    ],
    [{ middlewares: ['cors', 'bearer'], cors: { allowedHeaders: ['*'] } }, 'will not send Authorization'],
    [{ middlewares: ['cors'], strict: true }, 'cors: browsers will not send Prefer, which strict needs'],
    [
      { middlewares: ['cors'], strict: true, faults: { seed: 1 } },
      'cors: browsers will not send Prefer, which strict needs',
    ],
    [
      { middlewares: ['cors'], faults: { seed: 1 } },
      'cors: browsers will not send Prefer, which a request that asks to fail needs',
    ],
    [
      { middlewares: ['cors'], sessions: { max: 16 } },
      'cors: browsers will not send X-Mock-Session, which a session needs',
    ],
    [
      { middlewares: ['cors'], upsert: true, cors: { allowedHeaders: ['If-Match'] } },
      'cors: browsers will not send If-None-Match, which upsert needs',
    ],
    [
      { middlewares: ['cors'], upsert: true, cors: { allowedHeaders: ['If-None-Match'] } },
      'cors: browsers will not send If-Match, which upsert needs',
    ],
    [{ allowedHosts: ['app.test'] }, 'allowedHosts: pages of any origin can still read and change the data'],
    [
      { allowedOrigins: ['http://app.test'], noCors: true },
      'allowedOrigins: with noCors on, browsers do not let those pages read responses',
    ],
  ])('are made about %j', (settings, warning) => {
    expect(warningsOf(settings)).toEqual([expect.stringContaining(warning)])
  })

  it('are printed at the start', async () => {
    const lines: string[] = []
    const server = await start({ data: {}, rateLimit: { limit: 5 }, print: (line) => lines.push(line) })
    await server.close()
    expect(lines).toEqual([expect.stringContaining('rateLimit: the layer is off')])
  })
})
