import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../../../dist/core/engine/data/database.js'
import { DataFiles } from '../../../dist/stores/file/data-files.js'
import { FileLock } from '../../../dist/stores/file/file-lock.js'

/**
 * What the child processes of the file tests do; `job path count` on the command line. JavaScript on the
 * built program, because a process that first has to compile TypeScript starts ten times slower.
 * @type {Record<string, (path: string, count: number) => Promise<void>>}
 */
const jobs = {
  /** Adds one to a counter in the file, twice, as the user with this number. */
  async 'increment-as'(path, uid) {
    // Not before now: another user may not be allowed to read the program.
    process.setgroups?.([])
    process.setgid?.(uid)
    process.setuid?.(uid)
    const file = new DataFiles(path)
    let data = file.readSync()
    for (let done = 0; done < 2; done += 1) {
      await file.exclusive(async () => {
        if (await file.changedOutside()) data = (await file.read())?.toData() ?? {}
        data = { counter: { value: (data.counter?.value ?? 0) + 1 } }
        await file.write(Database.of(data))
      })
    }
  },

  /** Takes the lock and keeps it. */
  async hold(path) {
    await new FileLock(path).acquire()
    process.stdout.write('held\n')
    await sleep(60_000)
  },

  /** Takes the lock repeatedly, and reports if anyone else held it; waits for a common start. */
  async contend(path, count) {
    process.stdout.write('ready\n')
    await new Promise((resolve) => process.stdin.once('data', resolve))
    const inside = `${path}.inside`
    for (let done = 0; done < count; done += 1) {
      const held = await new FileLock(path).acquire()
      writeFileSync(inside, String(process.pid))
      await sleep(1)
      if (readFileSync(inside, 'utf8') !== String(process.pid)) appendFileSync(`${path}.overlap`, 'x')
      await held.release()
    }
    process.stdin.destroy()
  },
}

const [job = '', path = '', count = '1'] = process.argv.slice(2)
await jobs[job]?.(path, Number(count))
