import { useState } from 'preact/hooks'
import type { FaultsInfo } from '../../catalogue/faults-info.ts'
import { isObject } from '../../json/record.ts'
import { exchanges } from '../client/live.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'
import { Card } from '../parts/card.tsx'
import { Failure } from '../parts/failure.tsx'
import { ClockCard } from './clock-card.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleList } from './rule-list.tsx'
import { DecisionLog } from './tape.tsx'

const PATH = '/__faults'

/** Requests that fail on purpose: the rules, what they decided, and the clock. */
export function FaultsView() {
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<ApiResponse>()
  // What a change of ours returned is shown until a later response is there.
  const [changed, setChanged] = useState<{
    readonly response: ApiResponse
    readonly over: ApiResponse | undefined
  }>()
  // Requests about the server itself are not judged, and this one would cause the next.
  const judged = exchanges.value.findLast(({ path }) => !path.startsWith('/__'))
  const response = useResponse(PATH, `${turn}.${judged?.id}`)
  const { data } = (changed && changed.over === response ? changed.response : response) ?? {}
  const info = isFaults(data) ? data : undefined

  async function act(method: string, path: string, body?: object): Promise<boolean> {
    const outcome = await send(method, path, body && { body: JSON.stringify(body) })
    setFailure(isOk(outcome) ? undefined : outcome)
    if (isOk(outcome)) setChanged({ response: outcome, over: response })
    setTurn((count) => count + 1)
    return isOk(outcome)
  }

  return (
    <main class="content service-view faults-view" id="content">
      <h1>Faults</h1>
      {response?.status === 404 && (
        <p class="hint">Off: the server was started with --no-faults, or does not have them.</p>
      )}
      {response && response.status !== 404 && !info && <Failure response={response} />}
      <div class="fault-cards">
        {info && (
          <Card title="New rule">
            <RuleForm onAdded={() => setTurn((count) => count + 1)} />
          </Card>
        )}
        <ClockCard />
        {info && (
          <section class="card" aria-label="Rules">
            <div class="actions">
              <h2>Rules</h2>
              <span class="count">Seed {info.seed}</span>
              <span class="spring" />
              <button type="button" onClick={() => act('DELETE', PATH)}>
                {info.isConfig ? 'Start again' : 'Back to the config'}
              </button>
            </div>
            {failure && <Failure response={failure} />}
            <RuleList
              rules={info.rules}
              onChange={(method, id, body) => act(method, `${PATH}/${id}`, body)}
            />
          </section>
        )}
        {info && (
          <Card title="Decisions">
            <DecisionLog decisions={info.decisions} />
          </Card>
        )}
      </div>
    </main>
  )
}

function isFaults(data: unknown): data is FaultsInfo {
  return isObject(data) && Array.isArray(data.rules) && Array.isArray(data.decisions)
}
