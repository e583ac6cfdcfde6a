import { run } from '../../../dist/cli/run.js'

// Each command listens for faults of the output again.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

process.on('message', async ({ args, cwd }) => {
  process.chdir(cwd)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      said[name] += text
      return true
    }
  }
  process.send({ code: await run(args), ...said })
})
