import { liveDataOf } from '../../../src/stores/live/live-data.ts'
import { describeEngine } from './engine-contract.ts'
import { openFile } from './open-file.ts'

describeEngine('a file that others hold the data of', {
  open(data) {
    const opened = openFile(data)
    liveDataOf(opened.engine)
    return opened
  },
})
