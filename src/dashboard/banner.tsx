import { isGone } from './client/live.ts'
import { saveFailure } from './client/outcomes.ts'
import { service } from './client/service.ts'
import { Icon } from './parts/elements.tsx'

/** Says on every view what is wrong with the server; the most important only. */
export function Banner() {
  const problem = currentProblem()
  if (problem === undefined) return null
  const [title, text] = problem
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p>
        <strong>{title}</strong> {text}
      </p>
    </div>
  )
}

function currentProblem(): readonly [title: string, text: string] | undefined {
  if (isGone.value) {
    return [
      'The server does not respond.',
      'Is it still running? This page keeps what it has loaded, and connects again as soon as it can.',
    ]
  }
  const fault = service.value?.dataFault
  if (fault !== undefined) return ['The data file cannot be read.', `${fault} You see the last good data.`]
  return saveFailure.value === undefined ? undefined : ['Not saved.', saveFailure.value]
}
