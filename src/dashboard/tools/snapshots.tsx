import { isObject } from '../../json/values.ts'
import { isOk } from '../client/send.ts'
import { useActions } from '../client/use-response.ts'
import { ConfirmButton } from '../parts/controls.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatMoment } from '../parts/format.ts'
import { notify } from '../parts/notices.tsx'

const PATH = '/__snapshots__'

export function Snapshots({ isOn }: { isOn: boolean }) {
  const { response, failure, act } = useActions(isOn ? PATH : undefined)
  if (!isOn) return <p class="hint">Off. To turn them on, name a folder: --snapshots snapshots</p>

  async function run(method: string, path: string, done: string): Promise<void> {
    if (isOk(await act(method, path))) notify(done)
  }

  const saved = Array.isArray(response?.data) ? response.data.filter(isObject) : []
  return (
    <>
      {failure && <Failure response={failure} />}
      {response && !isOk(response) && <Failure response={response} />}
      <button type="button" onClick={() => run('POST', PATH, 'Saved a snapshot')}>
        Save a snapshot
      </button>
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
              onConfirm={() => run('PUT', `${PATH}/${id}`, `Restored ${id}`)}
            />
            <ConfirmButton
              label="Delete"
              question="Delete for good?"
              onConfirm={() => run('DELETE', `${PATH}/${id}`, `Deleted ${id}`)}
            />
          </li>
        ))}
      </ul>
      {response && saved.length === 0 && <p class="hint">No snapshots yet.</p>}
    </>
  )
}
