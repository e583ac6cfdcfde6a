import { useState } from 'preact/hooks'
import { isObject } from '../../json/values.ts'
import { notify } from '../client/notices.ts'
import { type Answer, isOk, send } from '../client/send.ts'
import { useAnswer } from '../client/use-response.ts'
import { Confirmed } from '../parts/confirmed.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatMoment } from '../parts/format.ts'

const PATH = '/__snapshots__'

/** Copies of all data: to save, to restore, to delete. */
export function Snapshots({ isOn }: { isOn: boolean }) {
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<Answer>()
  const answer = useAnswer(isOn ? PATH : undefined, String(turn))
  if (!isOn) return <p class="hint">Off. To turn them on, name a folder: --snapshots snapshots</p>

  async function act(method: string, path: string, done: string): Promise<void> {
    const outcome = await send(method, path)
    setFailure(isOk(outcome) ? undefined : outcome)
    if (isOk(outcome)) notify(done)
    setTurn(turn + 1)
  }

  const saved = Array.isArray(answer?.data) ? answer.data.filter(isObject) : []
  return (
    <>
      <button type="button" onClick={() => act('POST', PATH, 'Saved a snapshot')}>
        Save a snapshot
      </button>
      {failure && <Failure answer={failure} />}
      {answer && !isOk(answer) && <Failure answer={answer} />}
      <ul class="snapshots">
        {saved.map(({ id, createdAt }) => (
          <li key={String(id)}>
            <span>
              {formatMoment(String(createdAt))} <span class="count">{String(id)}</span>
            </span>
            <span class="spring" />
            <Confirmed
              label="Restore"
              ask="Replace all data?"
              onConfirm={() => act('PUT', `${PATH}/${id}`, `Restored ${id}`)}
            />
            <Confirmed
              label="Delete"
              ask="Delete for good?"
              onConfirm={() => act('DELETE', `${PATH}/${id}`, `Deleted ${id}`)}
            />
          </li>
        ))}
      </ul>
      {answer && saved.length === 0 && <p class="hint">No snapshots yet.</p>}
    </>
  )
}
