import { useEffect, useState } from 'preact/hooks'

/** Milliseconds since this value was first seen, to the second; 0 while it does not run. */
export function useElapsed(value: unknown, isRunning: boolean): number {
  const [elapsed, setElapsed] = useState({ of: value, ms: 0 })
  useEffect(() => {
    if (!isRunning) return
    const start = performance.now()
    const timer = setInterval(() => setElapsed({ of: value, ms: performance.now() - start }), 1000)
    return () => clearInterval(timer)
  }, [value, isRunning])
  return isRunning && elapsed.of === value ? elapsed.ms : 0
}
