import { afterAll, describe } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { formTests } from './forms.ts'
import { closeBrowser } from './open-page.ts'
import { referenceTests } from './reference.ts'

describe.skipIf(CHROMIUM === undefined)('what the page knows of the API', () => {
  afterAll(closeBrowser)
  describe('the tab', referenceTests)
  describe('forms', formTests)
})
