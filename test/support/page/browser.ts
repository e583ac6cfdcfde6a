import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The system's own Chromium: Playwright's download is not needed, and not wanted. The one without windows comes first: it
 * takes a third less CPU time.
 */
export const CHROMIUM = findProgram([
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
])

/**
 * What no page here needs. Two pages for the address bar alone took half of the browser's CPU time. The list replaces
 * Playwright's own, so what matters of that is repeated.
 */
const DISABLED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AiModeOmniboxEntryPoint'],
  ...[
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
    'DialMediaRouteProvider',
    'OptimizationHints',
    'Translate',
  ],
  ...['PaintHolding', 'RenderDocument', 'ThirdPartyStoragePartitioning', 'DestroyProfileOnBrowserClose'],
]

/** Quiet on the network: the browser talks only to the server under test. */
export const CHROMIUM_FLAGS = [
  `--disable-features=${DISABLED_FEATURES.join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
