import { ColumnTitles } from '../parts/column-titles.tsx'

/** Which paths are rewritten to which. */
export function Rules({ rules }: { rules: Readonly<Record<string, string>> }) {
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
