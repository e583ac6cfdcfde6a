import { useState } from 'preact/hooks'

interface ConfirmButtonProps {
  readonly label: string
  /** What the second click says yes to. */
  readonly question: string
  readonly onConfirm: () => void
}

/** A button for what cannot be undone: it takes a second click. */
export function ConfirmButton({ label, question: ask, onConfirm }: ConfirmButtonProps) {
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
