import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeAt } from '../../../src/stores/file/temp-files.ts'
import { folderOf } from '../../support/folder.ts'

it('writing many chunks continues with the rest if the system writes less than requested', async () => {
  const chunks = Array.from({ length: 1000 }, (_, n) => Buffer.from(`chunk ${n}\n`))
  const path = join(folderOf(), 'file')
  const file = await open(path, 'w')
  const { writev } = file
  const takeFew = (offered: readonly Uint8Array[], position: number) =>
    Reflect.apply(writev, file, [
      [...offered.slice(0, 2), offered[2]?.subarray(0, 4) ?? Buffer.alloc(0)],
      position,
    ])
  Object.assign(file, { writev: takeFew })
  await writeAt(file, 0, chunks)
  await file.close()
  expect(await readFile(path, 'utf8')).toBe(Buffer.concat(chunks).toString())
})
