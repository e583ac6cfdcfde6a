import { unlessUpToDate } from './build/built-from.ts'

/** Builds dist/, if a source changed. The bundlers take seconds to load. */
const built = await unlessUpToDate(async () => (await import('./build/build-all.ts')).buildAll())
if (!built) console.log('dist/ is up to date.')
