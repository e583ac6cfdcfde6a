import { useId } from 'preact/hooks'
import { persona } from './client/login.ts'
import { service } from './client/service.ts'

interface PersonaListProps {
  /** Whether one can stop acting as others. */
  readonly hasYourself?: boolean
  readonly onChoose: (email: string | undefined) => void
}

/** The users to act as without a password, where the server allows it. */
export function PersonaList({ hasYourself = false, onChoose }: PersonaListProps) {
  const id = useId()
  const personas = service.value?.personas ?? []
  return (
    <div class="personas">
      <h3 id={id}>Act as</h3>
      <ul aria-labelledby={id}>
        {[...(hasYourself ? [undefined] : []), ...personas].map((one) => (
          <li key={one?.email ?? ''}>
            <button
              type="button"
              aria-current={one?.email === persona.value ? 'true' : undefined}
              onClick={() => onChoose(one?.email)}
            >
              {one ? one.email : 'Yourself'}
              {one && <span class="count">{one.role}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
