/**
 * The program of `PatternEngine`'s thread: runs V8's regular expressions over texts. A string of plain JavaScript,
 * so it needs no file, which would be a different one in the sources, in the module and in the bundled command.
 */
export const ENGINE_THREAD: string = String.raw`
const { parentPort } = require('node:worker_threads')

parentPort.on('message', ({ patterns, texts }) => {
  const start = performance.now()
  const expressions = patterns.map(compile)
  const bits = Uint8Array.from(texts, (text) => (expressions.some((one) => one.test(text)) ? 1 : 0))
  parentPort.postMessage({ bits, time: performance.now() - start }, [bits.buffer])
})
parentPort.postMessage('ready')

/** Invalid patterns are matched literally. */
function compile(pattern) {
  try {
    return new RegExp(pattern, 'i')
  } catch {
    return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i')
  }
}
`
