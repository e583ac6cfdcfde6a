import { run } from './bench/run.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

process.exitCode = await run(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  signal: stop.signal,
})
