/** Which paths stand for which others. */
export function Rules({ rules }: { rules: Readonly<Record<string, string>> }) {
  const entries = Object.entries(rules)
  if (entries.length === 0) return <p class="hint">None: paths mean what they say.</p>
  return (
    <table class="rules">
      <thead>
        <tr>
          <th scope="col">Asked for</th>
          <th scope="col">Answered as</th>
        </tr>
      </thead>
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
