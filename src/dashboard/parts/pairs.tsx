import type { ComponentChildren } from 'preact'

export type Pair = readonly [name: ComponentChildren, value: ComponentChildren]

/** Names and what belongs to each. The kind is how they are laid out. */
export function Pairs({ kind, pairs }: { kind: string; pairs: readonly Pair[] }) {
  return (
    <dl class={kind}>
      {pairs.map(([name, value], index) => (
        <div key={typeof name === 'string' ? `${name} ${index}` : index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
