import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { attempt, hasCode } from './fs.ts'

let ours: string | undefined

/**
 * Identifies this process so that others can tell later whether it still runs: `<place>-<pid>-<birth>`. Safe in file names.
 * The place tells machines and containers apart, the birth a process from a later one with the same pid.
 */
export function processMark(): string {
  ours ??= `${place()}-${process.pid}-${inspect(process.pid)?.birth ?? 0}`
  return ours
}

/** `unknown`: from another machine, or the pid is in use but may be another program's. */
export function whereabouts(mark: string): 'alive' | 'dead' | 'unknown' {
  const [, madeAt, number, birth] = /^([0-9a-f]+)-([1-9]\d*)-(\d+)$/.exec(mark) ?? []
  if (madeAt !== place()) return 'unknown'
  const pid = Number(number)
  if (!isRunning(pid)) return 'dead'
  const found = inspect(pid)
  if (birth === '0' || found === undefined) return 'unknown'
  return found.birth === birth && !found.ended ? 'alive' : 'dead'
}

let here: string | undefined

function place(): string {
  here ??= createHash('sha256')
    .update(`${hostname()} ${attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))}`)
    .update(`${attempt(() => readlinkSync('/proc/self/ns/pid'))}`)
    .digest('hex')
    .slice(0, 12)
  return here
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

/** What Linux knows about a process. A killed one stays listed as a zombie until its parent reaps it. */
function inspect(pid: number): { birth: string; ended: boolean } | undefined {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The program's name is in parentheses and may itself contain spaces and parentheses.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ')
  const state = fields?.[0]
  const birth = fields?.[19]
  if (state === undefined || birth === undefined) return undefined
  return { birth, ended: state === 'Z' || state === 'X' }
}
