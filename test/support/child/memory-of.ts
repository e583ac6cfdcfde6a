import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Memory of a process in megabytes. */
export function memoryOf(pid: number | undefined): number {
  const status = `/proc/${pid}/status`
  // Slim Linux images have no ps, and other systems no /proc.
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) / 1024
}
