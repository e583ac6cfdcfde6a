import { afterAll, describe } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { formTests } from './parts/forms.ts'
import { referenceTests } from './parts/reference.ts'
import { closeBrowser } from './parts/tabs.ts'

describe.skipIf(CHROMIUM === undefined)('what the page knows of the API', () => {
  afterAll(closeBrowser)
  describe('the tab', referenceTests)
  describe('forms', formTests)
})
