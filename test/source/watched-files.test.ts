import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileWatch } from '../../src/source/watched-files.ts'
import { folderOf } from '../support/folder.ts'
import { eventually } from '../support/http/watched.ts'

let folder: string
let watch: FileWatch | undefined

beforeEach(() => {
  folder = folderOf()
})

afterEach(() => {
  watch?.close()
})

const at = (name: string) => join(folder, name)

async function reportsOf(names: readonly string[]): Promise<string[][]> {
  const reports: string[][] = []
  watch = new FileWatch()
  await watch.follow(names.map(at))
  watch.start((paths) => reports.push([...paths]))
  return reports
}

describe('FileWatch', () => {
  it('sends few reports for a storm of changes', async () => {
    const reports = await reportsOf(['a', 'b'])
    for (let n = 0; n < 50; n += 1) {
      await Promise.all([writeFile(at('a'), `${n}`), writeFile(at('b'), `${n}`)])
    }
    await eventually(() => expect(new Set(reports.flat())).toEqual(new Set([at('a'), at('b')])))
    expect(reports.length).toBeLessThan(10)
  })

  it('reports a file that keeps changing', async () => {
    const reports = await reportsOf(['a'])
    await writeFile(at('a'), '')
    let n = 0
    const timer = setInterval(() => {
      n += 1
      utimes(at('a'), n, n).catch(() => {})
    }, 10)
    await eventually(() => expect(reports.length).toBeGreaterThan(1))
    clearInterval(timer)
  })

  it('reports what changed between follow and start', async () => {
    const reports: string[][] = []
    watch = new FileWatch()
    await watch.follow([at('a')])
    await writeFile(at('a'), 'x')
    watch.start((paths) => reports.push([...paths]))
    await eventually(() => expect(reports).toEqual([[at('a')]]))
  })

  it('does not report files that it does not follow', async () => {
    const reports = await reportsOf(['a'])
    await writeFile(at('b'), 'x')
    await writeFile(at('a'), 'x')
    await eventually(() => expect(reports).toEqual([[at('a')]]))
    await watch?.follow([at('b')])
    await writeFile(at('a'), 'xx')
    await writeFile(at('b'), 'xx')
    await eventually(() => expect(reports).toEqual([[at('a')], [at('b')]]))
  })
})
