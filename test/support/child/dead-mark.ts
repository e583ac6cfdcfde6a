import { execFileSync } from 'node:child_process'
import { processMark } from '../../../src/storage/file/process-mark.ts'

/** The mark of a process that ran here and ended. */
export function deadMark(): string {
  const pid = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim()
  return `${processMark().split('-')[0]}-${pid}-1`
}
