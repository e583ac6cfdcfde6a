import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppendedLines } from '../../../src/stores/file/appended-lines.ts'
import { versionOf } from '../../../src/stores/file/fs.ts'
import { fileOf } from '../../support/folder.ts'

const OLD = '{"id":1}\n'
const THEIRS = '{"id":"theirs"}\n'

let handles: FileHandle
beforeAll(async () => {
  const file = await open(tmpdir())
  handles = Object.getPrototypeOf(file)
  await file.close()
})

function lineFile(text: string) {
  const path = fileOf(text, 'a.ndjson')
  const version = () => versionOf(statSync(path, { bigint: true }))
  return { path, text: () => readFileSync(path, 'utf8'), version }
}

describe('rows appended to a file', () => {
  it.each([
    ['one row', ['{"id":2}']],
    ['several rows', ['{"id":2}', '{"id":3}']],
  ])('leave lines that another program appends right before them: %s', async (_, rows) => {
    const file = lineFile(OLD)
    const lines = new AppendedLines(Buffer.from(OLD))
    const version = await lines.append(
      file.path,
      rows,
      () => appendFileSync(file.path, THEIRS),
      () => {},
    )
    expect(file.text()).toBe(`${OLD}${THEIRS}${rows.join('\n')}\n`)
    expect(version, 'so that the file is read again').not.toBe(file.version())
  })

  it('go after each other, with the version of the file', async () => {
    const file = lineFile(OLD)
    const lines = new AppendedLines(Buffer.from(OLD))
    for (const rows of [['2'], ['3', '4'], ['5']]) {
      const version = await lines.append(
        file.path,
        rows,
        () => {},
        () => {},
      )
      expect(version).toBe(file.version())
    }
    expect(file.text()).toBe(`${OLD}2\n3\n4\n5\n`)
  })

  it.each([
    ['alone', '', OLD],
    ['after those of another program', THEIRS, `${OLD}${THEIRS}        \n`],
  ])('are taken back if the disk refuses them: %s', async (_, theirs, left) => {
    const file = lineFile(OLD)
    const lines = new AppendedLines(Buffer.from(OLD))
    const undone: string[] = []
    const appending = lines.append(
      file.path,
      ['{"id":2}'],
      () => {
        appendFileSync(file.path, theirs)
        refuseSync()
      },
      (version) => undone.push(version),
    )
    await expect(appending).rejects.toThrow('EIO')
    expect(file.text()).toBe(left)
    expect(undone).toEqual([theirs === '' ? file.version() : ''])
  })
})

/** Of the next file handle that is synced. */
function refuseSync(): void {
  const sync = vi.spyOn(handles, 'sync').mockRejectedValueOnce(new Error('EIO'))
  onTestFinished(() => sync.mockRestore())
}
