import { afterAll, describe } from 'vitest'
import { CHROMIUM } from '../support/page/browser.ts'
import { builderTests } from './parts/builder.ts'
import { deepTests } from './parts/deep.ts'
import { ignoredTests } from './parts/ignored.ts'
import { closeBrowser } from './parts/tabs.ts'

describe.skipIf(CHROMIUM === undefined)('questions on the page', () => {
  afterAll(closeBrowser)
  describe('builder', builderTests)
  describe('relations and fields', deepTests)
  describe('what had no effect', ignoredTests)
})
