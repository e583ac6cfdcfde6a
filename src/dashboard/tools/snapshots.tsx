import { useState } from 'preact/hooks'
import { isObject } from '../../json/record.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'
import { ConfirmButton } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatMoment } from '../parts/format.ts'
import { notify } from '../parts/notices.tsx'

const PATH = '/__snapshots__'

/** Copies of all data: to save, to restore, to delete. */
export function Snapshots({ isOn }: { isOn: boolean }) {
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<ApiResponse>()
  const response = useResponse(isOn ? PATH : undefined, String(turn))
  if (!isOn) return <p class="hint">Off. To turn them on, name a folder: --snapshots snapshots</p>

  async function act(method: string, path: string, done: string): Promise<void> {
    const outcome = await send(method, path)
    setFailure(isOk(outcome) ? undefined : outcome)
    if (isOk(outcome)) notify(done)
    setTurn(turn + 1)
  }

  const saved = Array.isArray(response?.data) ? response.data.filter(isObject) : []
  return (
    <>
      <button type="button" onClick={() => act('POST', PATH, 'Saved a snapshot')}>
        Save a snapshot
      </button>
      {failure && <Failure response={failure} />}
      {response && !isOk(response) && <Failure response={response} />}
      <ul class="snapshots">
        {saved.map(({ id, createdAt }) => (
          <li key={String(id)}>
            <span>
              {formatMoment(String(createdAt))} <span class="count">{String(id)}</span>
            </span>
            <span class="spring" />
            <ConfirmButton
              label="Restore"
              question="Replace all data?"
              onConfirm={() => act('PUT', `${PATH}/${id}`, `Restored ${id}`)}
            />
            <ConfirmButton
              label="Delete"
              question="Delete for good?"
              onConfirm={() => act('DELETE', `${PATH}/${id}`, `Deleted ${id}`)}
            />
          </li>
        ))}
      </ul>
      {response && saved.length === 0 && <p class="hint">No snapshots yet.</p>}
    </>
  )
}
