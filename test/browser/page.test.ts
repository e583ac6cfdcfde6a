import { afterAll, describe } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { changeTests } from './changes.ts'
import { dataTests } from './data.ts'
import { guardTests } from './guards.ts'
import { hostileTests } from './hostile.ts'
import { closeBrowser } from './open-page.ts'
import { qualityTests } from './quality.ts'
import { queryTests } from './query.ts'
import { requestTests } from './requests.ts'
import { serviceTests } from './service.ts'

if (CHROMIUM === undefined) {
  console.warn(
    'The browser tests are skipped: there is no Chromium on this machine (apt-get install chromium).',
  )
}

describe.skipIf(CHROMIUM === undefined)('the page at /', () => {
  afterAll(closeBrowser)
  describe('data', dataTests)
  describe('changes', changeTests)
  describe('query', queryTests)
  describe('requests', requestTests)
  describe('service', serviceTests)
  describe('guards', guardTests)
  describe('hostile data', hostileTests)
  describe('quality', qualityTests)
})
