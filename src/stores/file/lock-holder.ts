import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { hasCode } from './fs.ts'

let ours: string | undefined

/** The name of this process in its locks: `<pid> <start> <machine>`. The start tells it from a later process with the same pid. */
export function lockHolder(): string {
  ours ??= `${process.pid} ${readProcess(process.pid)?.start ?? 0} ${thisMachine()}`
  return ours
}

/** `unknown`: on another machine or in another container, or where processes have no start time. */
export function holderState(text: string): 'alive' | 'dead' | 'unknown' {
  const [, number, start, machine] = /^([1-9]\d*) (\d+) (\S+) /.exec(text) ?? []
  if (machine !== lockHolder().split(' ')[2]) return 'unknown'
  const pid = Number(number)
  if (!isRunning(pid)) return 'dead'
  const current = readProcess(pid)
  if (start === '0' || current === undefined) return 'unknown'
  return current.start === start && !current.isOver ? 'alive' : 'dead'
}

/** Since it was booted, and down to the container, whose processes have numbers of their own. */
function thisMachine(): string {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
  const processes = attempt(() => readlinkSync('/proc/self/ns/pid'))
  return `${hostname()}/${boot}/${processes}`.replace(/\s/g, '')
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

/** From /proc, so on Linux only. A killed process stays listed as a zombie until its parent reaps it. */
function readProcess(pid: number): { start: string; isOver: boolean } | undefined {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The program's name is in parentheses and may itself contain spaces and parentheses.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ')
  const state = fields?.[0]
  const start = fields?.[19]
  if (state === undefined || start === undefined) return undefined
  return { start, isOver: state === 'Z' || state === 'X' }
}
