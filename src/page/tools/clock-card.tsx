import { useEffect, useState } from 'preact/hooks'
import { isObject } from '../../core/kernel/json/values.ts'
import { useActions } from '../client/use-response.ts'
import { Card } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatMoment, formatOffset } from '../parts/format.ts'

const PATH = '/__clock'
const STEPS = [
  ['1m', '+1 min'],
  ['15m', '+15 min'],
  ['1h', '+1 hour'],
  ['1d', '+1 day'],
] as const

export function ClockCard() {
  const { response, failure, act } = useActions(PATH)
  const face = isObject(response?.data) ? response.data : {}
  const elapsed = useElapsed(response, face.frozen === false)
  if (response === undefined || response.status === 404 || typeof face.now !== 'string') return null
  const { frozen, offset } = face
  const now = new Date(Date.parse(face.now) + elapsed).toISOString()
  const isReal = offset === 0 && frozen === false

  return (
    <Card title="Clock">
      {failure && <Failure response={failure} />}
      <p class="clock">
        <time dateTime={now}>{formatMoment(now)}</time>{' '}
        <span class={isReal ? 'badge good' : 'badge warn'}>
          {frozen === true ? 'frozen' : isReal ? 'real time' : formatOffset(Number(offset))}
        </span>
      </p>
      <div class="steps">
        {STEPS.map(([by, title]) => (
          <button key={by} type="button" onClick={() => act('POST', `${PATH}/advance`, { by })}>
            {title}
          </button>
        ))}
        <button type="button" onClick={() => act('PUT', PATH, { frozen: frozen !== true })}>
          {frozen === true ? 'Let it run' : 'Freeze'}
        </button>
        <button type="button" disabled={isReal} onClick={() => act('DELETE', PATH)}>
          Real time
        </button>
      </div>
      <p class="hint">Tokens, rate limits and timestamps go by it.</p>
    </Card>
  )
}

/** Milliseconds since this value was first seen, to the second; 0 while it does not run. */
function useElapsed(value: unknown, isRunning: boolean): number {
  const [elapsed, setElapsed] = useState({ of: value, ms: 0 })
  useEffect(() => {
    if (!isRunning) return
    const start = performance.now()
    const timer = setInterval(() => setElapsed({ of: value, ms: performance.now() - start }), 1000)
    return () => clearInterval(timer)
  }, [value, isRunning])
  return isRunning && elapsed.of === value ? elapsed.ms : 0
}
