import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { attempt } from '../../util/attempt.ts'
import { hasCode } from './fs.ts'

let ownMark: string | undefined

/**
 * Identifies this process so that another can find out later whether it still runs: `<host>-<pid>-<birth>`. Safe in file
 * names. The host is a machine or container, the birth distinguishes a process from a later one with the same pid.
 */
export function processMark(): string {
  ownMark ??= `${hostId()}-${process.pid}-${readProcess(process.pid)?.birth ?? 0}`
  return ownMark
}

/** `unknown`: from another machine, or the pid is in use but may be another program's. */
export function processState(mark: string): 'alive' | 'dead' | 'unknown' {
  const [, host, number, birth] = /^([0-9a-f]+)-([1-9]\d*)-(\d+)$/.exec(mark) ?? []
  if (host !== hostId()) return 'unknown'
  const pid = Number(number)
  if (!isRunning(pid)) return 'dead'
  const current = readProcess(pid)
  if (birth === '0' || current === undefined) return 'unknown'
  return current.birth === birth && !current.ended ? 'alive' : 'dead'
}

let ownHost: string | undefined

function hostId(): string {
  ownHost ??= createHash('sha256')
    .update(`${hostname()} ${attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))}`)
    .update(`${attempt(() => readlinkSync('/proc/self/ns/pid'))}`)
    .digest('hex')
    .slice(0, 12)
  return ownHost
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

/** From /proc, so on Linux only. A killed process stays listed as a zombie until its parent reaps it. */
function readProcess(pid: number): { birth: string; ended: boolean } | undefined {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The program's name is in parentheses and may itself contain spaces and parentheses.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ')
  const state = fields?.[0]
  const birth = fields?.[19]
  if (state === undefined || birth === undefined) return undefined
  return { birth, ended: state === 'Z' || state === 'X' }
}
