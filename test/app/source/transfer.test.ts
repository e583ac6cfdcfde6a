import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportData, importData, type TransferOptions } from '../../../src/app/source/transfer.ts'
import { start } from '../../../src/app/start.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'

const rows = Array.from({ length: 5000 }, (_, at) => ({
  id: at + 1,
  name: `n${at}`,
  at: { deep: [at, null] },
}))
const DATA = {
  $schema: './schema.json',
  items: rows,
  odd: [1, 'a', null, { id: 'x\0y' }],
  empty: [],
  one: { a: 1 },
}

describe.skipIf(!hasPostgres)(
  `data that moves into a database and back${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'transfer-'))
    })
    afterEach(() => rmSync(folder, { recursive: true }))
    function write(data: unknown, name = 'db.json'): string {
      const file = join(folder, name)
      writeFileSync(file, JSON.stringify(data))
      return file
    }

    it('is the same, byte for byte as /db shows it', async () => {
      const to = await freshAddress()
      const progress: number[] = []
      const onProgress = (done: number, all: number) => {
        expect(all).toBe(5004)
        progress.push(done)
      }
      expect(await importData({ from: write(DATA), to, onProgress })).toEqual({ resources: 5, rows: 5004 })
      expect(progress).toEqual([2000, 4000])
      const file = join(folder, 'out.json')
      expect(await exportData({ from: to, to: file })).toEqual({ resources: 5, rows: 5004 })
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(DATA)
      const server = await start({ source: to })
      expect(await (await fetch(`${server.url}/db`)).text()).toBe(readFileSync(file, 'utf8'))
      await server.close()
    })

    it('replaces nothing unless it is told to, and everything or nothing then', async () => {
      const to = await freshAddress()
      await importData({ from: write({ first: [{ id: 1 }] }), to })
      const second = write({ second: [{ id: 2 }] })
      await expect(importData({ from: second, to })).rejects.toThrow('has data already. Add --replace')
      const file = join(folder, 'out.json')
      const stored = async () => {
        await exportData({ from: to, to: file, replace: true })
        return JSON.parse(readFileSync(file, 'utf8'))
      }
      expect(await stored()).toEqual({ first: [{ id: 1 }] })
      await importData({ from: second, to, replace: true })
      expect(await stored()).toEqual({ second: [{ id: 2 }] })
      const broken = (count: number) => {
        if (count > 0) throw new Error('stopped')
      }
      await expect(importData({ from: write(DATA), to, replace: true, onProgress: broken })).rejects.toThrow(
        'stopped',
      )
      expect(await stored()).toEqual({ second: [{ id: 2 }] })
      await expect(exportData({ from: to, to: file })).rejects.toThrow('exists already. Add --replace')
    })

    it('has a schema of its own where one is named', async () => {
      const to = await freshAddress()
      await importData({ from: write({ a: [{ id: 1 }] }), to, schema: 'other_one' })
      await expect(exportData({ from: to, to: join(folder, 'out.json') })).rejects.toThrow('has no data')
      await exportData({ from: to.replace(/schema=\w+/, 'schema=other_one'), to: join(folder, 'out.json') })
      expect(existsSync(join(folder, 'out.json'))).toBe(true)
    })

    it.each<[string, (to: string) => TransferOptions, string, typeof importData]>([
      [
        'an import of what is no file',
        (to) => ({ from: 'x.txt', to }),
        '"x.txt" is not a .json file',
        importData,
      ],
      [
        'an import into no database',
        () => ({ from: 'db.json', to: 'db2.json' }),
        'name the database second',
        importData,
      ],
      [
        'an export of no database',
        () => ({ from: 'db.json', to: 'x.json' }),
        'name the database first',
        exportData,
      ],
      ['an export to no file', (from) => ({ from, to: 'x' }), '"x" is not a .json file', exportData],
    ])('refuses %s', async (_, options, message, move) => {
      await expect(move(options('postgres://localhost/x'))).rejects.toThrow(message)
    })
  },
)
