import { run } from '../../../dist/bundle/run.cjs'

const SIGNALS = ['SIGINT', 'SIGTERM']

// Each command listens for faults of the output again.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

process.on('message', async ({ args, cwd, env, isOver }) => {
  if (isOver) return process.emit('SIGTERM')
  process.chdir(cwd)
  Object.assign(process.env, env)
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      said[name] += text
      const url = /Home\n\s+(https?:\S+)/.exec(text)?.[1]
      if (url) process.send({ url, stdout: said.stdout })
      return true
    }
  }
  const code = await run(args)
  // A command ends with its process, and does not stop listening.
  for (const signal of SIGNALS) process.removeAllListeners(signal)
  for (const name of Object.keys(env)) delete process.env[name]
  process.send({ code, ...said })
})
