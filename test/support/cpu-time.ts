/** Milliseconds of computing that this process has taken. A machine that is busy with others does not lengthen them. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
