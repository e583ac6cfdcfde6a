/** HTTP headers, one per line. */
export function HeaderList({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return (
    <dl class="headers">
      {headers.map(([name, value], index) => (
        <div key={`${name}${index}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
