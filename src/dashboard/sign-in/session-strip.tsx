import { session } from '../client/session.ts'
import { ConfirmButton } from '../parts/confirmed.tsx'
import { endSession, resetSession } from './session-list.ts'

/** Says that what one looks at is a copy, on every view. */
export function SessionStrip() {
  const name = session.value
  if (name === undefined) return null
  return (
    <section class="session-strip" aria-label="Current session">
      <p>
        Session <strong>{name}</strong>
        <span class="wide">: a copy of the data, not the base</span>
      </p>
      <span class="spring" />
      <ConfirmButton label="Reset" question="Undo all changes?" onConfirm={() => void resetSession(name)} />
      <ConfirmButton label="End" question="End for good?" onConfirm={() => void endSession(name)} />
    </section>
  )
}
