import { runScript } from './command-line.ts'
import { run } from './generate/run.ts'

await runScript(run)
