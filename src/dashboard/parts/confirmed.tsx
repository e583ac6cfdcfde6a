import { useState } from 'preact/hooks'

interface ConfirmedProps {
  readonly label: string
  /** What the second click says yes to. */
  readonly ask: string
  readonly onConfirm: () => void
}

/** A button for what cannot be undone: it takes a second click. */
export function Confirmed({ label, ask, onConfirm }: ConfirmedProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <button
      type="button"
      class={isAsking ? 'danger' : undefined}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking)
        if (isAsking) onConfirm()
      }}
    >
      {isAsking ? ask : label}
    </button>
  )
}
