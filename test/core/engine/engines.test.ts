import { Engine } from '../../../src/core/engine/engine.ts'
import { openLive } from '../../../src/stores/live/live-data.ts'
import { describeEngine } from './engine-contract.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describeEngine('memory', {
  open: (data) => ({ engine: new Engine(data, naming) }),
})

describeEngine('a live object', {
  open: (data) => ({ engine: openLive({ data }, naming), kept: () => JSON.stringify(data) }),
})
