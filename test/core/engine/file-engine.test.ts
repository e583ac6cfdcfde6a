import { writeFileSync } from 'node:fs'
import { describeEngine } from './engine-contract.ts'
import { openFile } from './open-file.ts'

describeEngine('a file', {
  open(data) {
    const { path, ...opened } = openFile(data)
    return { ...opened, edit: (edited) => writeFileSync(path, JSON.stringify(edited)) }
  },
})
