import type { FaultDecision } from '../../catalogue/faults-info.ts'
import { ColumnTitles } from '../parts/column-titles.tsx'
import { formatClock, shorten } from '../parts/format.ts'
import { MethodBadge } from '../parts/status-badge.tsx'

const TITLES = ['Time', 'Request', 'Rule', 'Drew', 'Outcome']

/** What the rules decided, newest first. */
export function DecisionLog({ decisions }: { decisions: readonly FaultDecision[] }) {
  if (decisions.length === 0) return <p class="hint">Requests that a rule matches appear here.</p>
  return (
    <div class="tape-frame">
      <table class="grid tape">
        <ColumnTitles titles={TITLES} />
        <tbody>
          {decisions.toReversed().map(({ number, at, method, url, rule, draw, outcome, fired, delay }) => (
            <tr key={number}>
              <td>{formatClock(at)}</td>
              <td class="path">
                <MethodBadge method={method} /> {shorten(url, 80)}
              </td>
              <td class="number">{rule}</td>
              <td class="number">{draw.toFixed(3)}</td>
              <td>
                <span class={fired ? 'badge bad' : 'badge'}>{outcome}</span>
                {delay !== undefined && <span class="count"> {delay} ms</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
