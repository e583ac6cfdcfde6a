import { run } from './bench/run.ts'
import { runScript } from './command-line.ts'

await runScript(run)
