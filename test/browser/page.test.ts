import { afterAll, describe } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { changeTests } from './parts/changes.ts'
import { dataTests } from './parts/data.ts'
import { guardTests } from './parts/guards.ts'
import { hostileTests } from './parts/hostile.ts'
import { qualityTests } from './parts/quality.ts'
import { queryTests } from './parts/query.ts'
import { requestTests } from './parts/requests.ts'
import { serviceTests } from './parts/service.ts'
import { closeBrowser } from './parts/tabs.ts'

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
