import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readModule } from './support/house/read-module.ts'
import { rooms } from './support/house/rooms.ts'
import { faultsOf, findCircle, importsOf, roomOf } from './support/house/walls.ts'

const SRC = new URL('../src/', import.meta.url).pathname
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.[cm]?tsx?$/.test(file))

describe('the walls of the house', () => {
  it('are looked at in all of src/', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files).toContain('storage/types.ts')
  })

  it.each(files)('stand around %s', (file) => {
    expect(faultsOf(file, readFileSync(join(SRC, file), 'utf8'))).toEqual([])
  })

  it('have a room behind each of them', () => {
    const lived = new Set(files.map(roomOf))
    expect(rooms.filter((room) => !lived.has(room))).toEqual([])
  })
})

describe('the rooms', () => {
  const MOST_FILES = 16
  const folders = [...new Set(files.map((file) => dirname(file)))]

  it.each(folders)('are small enough to look around in: %s', (folder) => {
    expect(files.filter((file) => dirname(file) === folder).length).toBeLessThanOrEqual(MOST_FILES)
  })

  it('lead in one direction: a room stands after those that it uses', () => {
    const order = new Map(rooms.map(({ folder }, place) => [folder, place]))
    const back = rooms.flatMap(({ folder, uses = [] }, place) =>
      uses.filter((door) => (order.get(door) ?? -1) > place).map((door) => `${folder} uses ${door}`),
    )
    expect(back).toEqual([])
  })

  it('hold no files that import each other in a circle', () => {
    const graph = new Map(
      files.map((file) => [file, importsOf(file, readFileSync(join(SRC, file), 'utf8'))] as const),
    )
    expect(findCircle(graph)).toBeUndefined()
    expect(findCircle(new Map([...graph, ['errors.ts', ['index.ts']]]))).toContain('index.ts')
  })
})

describe('the packages', () => {
  const named = z.record(z.string(), z.string())
  const { dependencies, peerDependencies } = z
    .object({ dependencies: named, peerDependencies: named })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  // The page is built into one file, so what it imports is not needed at run time.
  const served = files.filter((file) => !file.startsWith('dashboard/') && !file.endsWith('.d.ts'))

  it.each(served)('that %s imports are dependencies of the package', (file) => {
    const { imports } = readModule(readFileSync(join(SRC, file), 'utf8'))
    const packages = imports
      .filter((name) => name !== undefined)
      .flatMap((name) => /^(?!node:)(?:@[^/]+\/)?[^./][^/]*/.exec(name)?.[0] ?? [])
    expect(packages.filter((name) => !(name in dependencies || name in peerDependencies))).toEqual([])
  })
})

describe('a door that is not in the plan', () => {
  it.each([
    ['storage/x.ts', "import express from 'express'"],
    ['storage/x.ts', "import type { Request } from 'express'"],
    ['storage/x.ts', "import { type IncomingMessage } from 'node:http'"],
    ['storage/x.ts', "import '../router/router.ts'"],
    ['storage/x.ts', "export * from '../layers/cors.ts'"],
    ['storage/x.ts', "export type { Config } from '../app/config.ts'"],
    ['storage/x.ts', "type Config = import('../app/config.ts').Config"],
    ['storage/x.ts', "const net = await import('node:net')"],
    ['storage/x.ts', 'const net = await import(`node:net`)'],
    ['storage/x.ts', "const net = require('node:net')"],
    ['storage/x.ts', "import net = require('node:net')"],
    ['storage/x.ts', 'export const load = (name: string) => import(name)'],
    ['storage/x.ts', "console.log('hello')"],
    ['storage/x.ts', 'process.exit(1)'],
    ['storage/x.ts', "process['env'].HOME"],
    ['storage/x.ts', 'const { env } = process'],
    ['storage/x.ts', 'const p = process'],
    ['storage/query/x.ts', "import { Table } from '../data/table.ts'"],
    ['storage/query/like/x.ts', "import type { Row } from '../../types.ts'"],
    ['storage/data/x.ts', "import { readFile } from 'node:fs/promises'"],
    ['storage/data/x.ts', "import { select } from '../select/select.ts'"],
    ['storage/select/x.ts', "import { JsonFile } from '../file/json-file.ts'"],
    ['storage/select/x.ts', "import { Engine } from '../engine/engine.ts'"],
    ['storage/relations/x.ts', "import { Draft } from '../draft/draft.ts'"],
    ['storage/json/x.ts', "import { hasCode } from '../disk/fs.ts'"],
    ['storage/disk/x.ts', "import { checkData } from '../json/load.ts'"],
    ['storage/file/x.ts', "import { Engine } from '../engine/engine.ts'"],
    ['storage/engine/x.ts', "import { FileStore } from '../file/file-store.ts'"],
    ['layers/x.ts', "import { cors } from './cors.ts'"],
    ['layers/log/x.ts', "import { logger } from './logger.ts'"],
    ['layers/log/x.ts', "import { cors } from '../cors.ts'"],
    ['layers/body/x.ts', "import { bodyParser } from '../body-parser.ts'"],
    ['layers/mask/x.ts', "import { logger } from '../log/logger.ts'"],
    ['layers/_part.ts', "import { cors } from './cors.ts'"],
    ['layers/x.ts', "import type { Row } from '../storage/types.ts'"],
    ['layers/x.ts', "import { router } from '../router/router.ts'"],
    ['layers/x.ts', "import { readFileSync } from 'node:fs'"],
    ['layers/x.ts', "import lodash from 'lodash'"],
    ['router/x.ts', "import { Low } from 'lowdb'"],
    ['router/x.ts', "import { readFile } from 'node:fs/promises'"],
    ['router/x.ts', "import { mount } from '../app/mount.ts'"],
    ['router/x.ts', "import { stats } from '../endpoints/stats.ts'"],
    ['router/x.ts', "import { cors } from '../layers/cors.ts'"],
    ['router/query/x.ts', "import { LiveStore } from '../../storage/live/live-store.ts'"],
    ['router/x.ts', "import { PostgresStore } from '../storage/postgres/postgres-store.ts'"],
    ['app/x.ts', "import { FileStore } from '../storage/file/file-store.ts'"],
    ['app/describe/x.ts', "import { FileStore } from '../../storage/file/file-store.ts'"],
    ['endpoints/x.ts', "import { FileStore } from '../storage/file/file-store.ts'"],
    ['router/answer/x.ts', "import { serve } from '../serve.ts'"],
    ['router/write/x.ts', "import { sendAnswer } from '../answer/send-answer.ts'"],
    ['endpoints/x.ts', "import { readFileSync } from 'node:fs'"],
    ['endpoints/x.ts', "import { run } from '../cli/run.ts'"],
    ['app/config/x.ts', "import { mount } from '../mount.ts'"],
    ['app/watch/x.ts', "import { openService } from '../open-service.ts'"],
    ['app/http/x.ts', "import { router } from '../../router/router.ts'"],
    ['app/x.ts', "import { run } from '../cli/run.ts'"],
    ['app/x.ts', "import { router } from '../index.ts'"],
    ['app/x.ts', "import yargs from 'yargs'"],
    ['app/x.ts', 'process.exit()'],
    ['app/x.ts', 'export const flags = process.argv'],
    ['app/x.ts', "import { run } from '../../scripts/generate/run.ts'"],
    ['app/x.ts', "import { launch } from '../../test/support/child/launch.ts'"],
    ['cli/x.ts', "import { start } from '../app/start.ts'"],
    ['cli/x.ts', "import type { Row } from '../storage/types.ts'"],
    ['cli/x.ts', "import express from 'express'"],
    ['cli/x.ts', "import { dataset } from '../../scripts/generate/dataset.ts'"],
    ['bin.ts', "import { start } from './index.ts'"],
    ['index.ts', "import { FileStore } from './storage/file/file-store.ts'"],
    ['index.ts', 'export const answer = 42'],
    ['errors.ts', "import type { Row } from './storage/types.ts'"],
    ['dashboard/x.ts', "import type { Row } from '../storage/types.ts'"],
    ['exchange.ts', 'export const answer = 42'],
    ['utils/x.ts', 'export const nothing = 0'],
  ])('is refused in %s: %s', (file, source) => {
    expect(faultsOf(file, source)).toHaveLength(1)
  })

  it('is named with the file, the import and the rule', () => {
    expect(faultsOf('cli/x.ts', "import { start } from '../app/start.ts'")).toEqual([
      'src/cli/x.ts imports ../app/start.ts. The rule of cli: ' +
        'imports index.ts and nothing deeper: what the command can do, a library user can do',
    ])
  })

  it.each([
    ['a comment', "// import express from 'express'\n/* import 'node:http' */"],
    ['a string', 'export const text = "import express from \'express\'"'],
    ['a template', "export const text = `import('express')`"],
    ['a field named process', 'export const f = (job: { process: { exit: number } }) => job.process.exit'],
  ])('is not seen in %s', (_, source) => {
    expect(faultsOf('storage/x.ts', source)).toEqual([])
  })
})
