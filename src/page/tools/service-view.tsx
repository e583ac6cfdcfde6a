import { useEffect } from 'preact/hooks'
import type { FileInfo, LayerInfo } from '../../core/kernel/catalogue/service-info.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { revisions } from '../client/live.ts'
import { isOk } from '../client/send.ts'
import { loadService, service, serviceFailure } from '../client/service.ts'
import { useActions, useResponse } from '../client/use-response.ts'
import { ConfirmButton } from '../parts/controls.tsx'
import { Card, ColumnTitles, type Pair, Pairs } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatBytes, formatDuration, formatMoment } from '../parts/format.ts'
import { preview } from '../parts/json.ts'
import { notify } from '../parts/notices.tsx'

export function ServiceView() {
  // Uptime and the time of the last save keep changing.
  useEffect(() => void loadService(), [revisions.value])
  const info = service.value
  if (info === undefined) {
    return (
      <main class="content service-view" id="content">
        <h1>Service</h1>
        {serviceFailure.value && <Failure response={serviceFailure.value} onRetry={loadService} />}
        <p class="hint">This server does not describe itself: it has no /__service.</p>
      </main>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <main class="content service-view" id="content" tabIndex={0}>
      <h1>Service</h1>
      <div class="cards">
        <Card title="Server">
          <Pairs
            kind="facts"
            pairs={[
              ['Health', <Health key="health" />],
              ['Version', info.version],
              ['Uptime', formatDuration(info.uptime)],
              ['Writes', info.readOnly ? 'refused: read-only' : 'allowed'],
              ['Primary key', info.id],
              ['Foreign key suffix', info.foreignKeySuffix],
              ['Cascade', info.cascade ? 'on: deleting a row also deletes its dependents' : 'off'],
            ]}
          />
        </Card>
        <Card title="Data">
          <Pairs
            kind="facts"
            pairs={[
              info.database
                ? ['Database', `${info.database.name || 'default'}, schema ${info.database.schema}`]
                : ['File', info.data?.file ?? 'none: data is kept in memory'],
              ...(info.data ? fileFacts(info.data) : []),
              ['Resources', info.resources.length],
              ['Items', info.resources.reduce((sum, { count }) => sum + (count ?? 0), 0)],
            ]}
          />
        </Card>
        <Card title="Layers">
          <Layers layers={info.layers} />
        </Card>
        <Card title="Rewrite rules">
          <Rules rules={info.rules} />
        </Card>
        <Card title="Snapshots">
          <Snapshots isOn={info.snapshots} />
        </Card>
      </div>
    </main>
  )
}

/** With accounts, only for admins. */
function fileFacts({ savedAt, size }: FileInfo): readonly Pair[] {
  const facts: Pair[] = []
  if (savedAt !== undefined) facts.push(['Last save', savedAt === null ? 'never' : formatMoment(savedAt)])
  if (size !== undefined) facts.push(['Size', formatBytes(size)])
  return facts
}

function Health() {
  const response = useResponse('/health-check', '')
  if (response === undefined) return <span>…</span>
  if (isOk(response)) return <span class="badge good">ok</span>
  return <span class="badge bad">{response.status}</span>
}

/** The layers in the order a request passes them, with those of their settings that are not secret. */
function Layers({ layers }: { layers: readonly LayerInfo[] }) {
  if (layers.length === 0) return <p class="hint">None: every request goes straight to the data.</p>
  return (
    <ol class="layers">
      {layers.map(({ name, kind, settings }, index) => (
        <li key={`${name}${index}`}>
          <strong>{name}</strong>
          {kind === 'file' && <span class="count">your file</span>}
          <Pairs
            kind="headers"
            pairs={Object.entries(settings).map(([key, value]) => [key, textOf(value)])}
          />
        </li>
      ))}
    </ol>
  )
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : preview(value)
}

function Rules({ rules }: { rules: Readonly<Record<string, string>> }) {
  const entries = Object.entries(rules)
  if (entries.length === 0) return <p class="hint">None: paths are served as they are.</p>
  return (
    <table class="rules">
      <ColumnTitles titles={['Path', 'Rewritten to']} />
      <tbody>
        {entries.map(([from, to]) => (
          <tr key={from}>
            <td>{from}</td>
            <td>{to}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const PATH = '/__snapshots__'

function Snapshots({ isOn }: { isOn: boolean }) {
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
      <button type="button" onClick={() => run('POST', PATH, 'Snapshot saved')}>
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
              onConfirm={() => run('PUT', `${PATH}/${id}`, `${id} restored`)}
            />
            <ConfirmButton
              label="Delete"
              question="Delete for good?"
              onConfirm={() => run('DELETE', `${PATH}/${id}`, `${id} deleted`)}
            />
          </li>
        ))}
      </ul>
      {response && saved.length === 0 && <p class="hint">No snapshots yet.</p>}
    </>
  )
}
