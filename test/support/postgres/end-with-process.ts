import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * The system closes its input when the process that started it is gone, however it ended. Then the cluster is told to stop,
 * and its folder goes. The number in a file may be old: only a process that has its data there is killed. More than once,
 * since one may just be starting.
 */
const WATCH = `
cat > /dev/null
tries=0
while [ -e "$1" ] && [ $tries -lt 100 ]; do
  pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
  if [ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd")" = "$1/data" ]; then kill -QUIT "$pid"; fi
  rm -rf "$1"
  tries=$((tries + 1))
  sleep 0.1
done
`

/** Lets the cluster of a folder, and the folder, outlive this process by a moment only: no hook is called in one that is killed. */
export function endWithProcess(folder: string): void {
  // In a group of its own: Ctrl+C is sent to all of a group.
  const watch = spawn('sh', ['-c', WATCH, 'sh', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.on('error', () => {})
  watch.unref()
  if (watch.stdin instanceof Socket) watch.stdin.unref()
}
