import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { endLaunched, launch } from '../support/child/launch.ts'
import { listOf, ok } from '../support/described.ts'
import { folderOf } from '../support/folder.ts'
import { freshAddress, hasPostgres } from '../support/postgres/cluster.ts'

const PET = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const DOCUMENT = {
  openapi: '3.1.0',
  servers: [{ url: '/v1' }],
  paths: {
    '/pets': { get: { responses: ok(listOf(PET)) } },
    '/pets/{id}': { get: { responses: ok(PET) } },
    '/ping': { get: { responses: {} } },
  },
}

afterEach(() => {
  endLaunched()
})

it('the command imports a description, says what it did, and refuses to do it twice', async () => {
  const cwd = folderOf({ 'openapi.json': DOCUMENT })
  const first = launch(['import', 'openapi.json', 'db.json', '--rows', '2'], { cwd })
  expect(await first.ended).toBe(0)
  expect(first.stderr()).toBe(
    [
      'Wrote db.json, restable.config.json, routes.json',
      '1 resource, 2 of 3 operations used',
      '  pets: 2 rows (2 made)',
      'Not used:',
      '  paths./ping.get: it is about no rows, and answers are not kept whole',
      '',
    ].join('\n'),
  )
  const again = launch(['import', 'openapi.json', 'db.json'], { cwd })
  expect(await again.ended).toBe(1)
  expect(again.stderr()).toContain('are there already')
  const strict = launch(['import', 'openapi.json', '-', '--strict', '--json'], { cwd })
  expect(await strict.ended).toBe(1)
  expect(strict.stdout()).toBe('')
  expect(strict.stderr()).toContain('"operations": {\n    "all": 3,\n    "used": 2,\n    "unused": 1\n  }')
})

it('the command serves a description from memory, and writes nothing', async () => {
  const cwd = folderOf({ 'openapi.json': DOCUMENT })
  const server = launch(['openapi.json', '--port', '0'], { cwd })
  const url = await server.url()
  const pets = await (await fetch(`${url}/v1/pets`)).json()
  expect(pets).toHaveLength(10)
  expect((await fetch(`${url}/v1/pets/1`, { method: 'DELETE' })).status).toBe(200)
  expect(readdirSync(cwd)).toEqual(['openapi.json'])
})

it.runIf(hasPostgres)(
  'a description goes into a database, and its settings into a file without the password',
  async () => {
    const cwd = folderOf({ 'openapi.json': DOCUMENT })
    const address = await freshAddress()
    const bare = launch(['import', 'openapi.json', address], { cwd })
    expect(await bare.ended).toBe(1)
    expect(bare.stderr()).toContain('--config restable.config.json')
    const whole = launch(['import', 'openapi.json', address, '--config', 'restable.config.json'], { cwd })
    expect(await whole.ended).toBe(0)
    const { source } = JSON.parse(readFileSync(join(cwd, 'restable.config.json'), 'utf8'))
    expect(source).toMatch(/^postgres/)
    const merged = launch(['import', 'openapi.json', address, '--config', 'x.json', '--merge'], { cwd })
    expect(await merged.ended).toBe(1)
    expect(merged.stderr()).toContain('--merge is for files')
    const twice = launch(['import', 'openapi.json', address, '--config', 'other/x.json'], { cwd })
    expect(await twice.ended).toBe(1)
    expect(twice.stderr()).toContain('has data already')
    expect(readdirSync(cwd)).toEqual(['openapi.json', 'restable.config.json', 'routes.json'])
  },
)
