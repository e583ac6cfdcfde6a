import { type Answer, faultOf } from '../api/send.ts'
import { askFor, isAuthCode } from '../sign-in/ask.ts'

interface FailureProps {
  readonly answer: Answer
  /** Offered where signing in may help. */
  readonly onRetry?: () => void
}

/** Why a request failed, in the server's own words. */
export function Failure({ answer, onRetry }: FailureProps) {
  const { code, message } = faultOf(answer)
  const canHelp = onRetry && (isAuthCode(code) || code === 'FORBIDDEN_WRITE')

  async function signIn(): Promise<void> {
    if (await askFor({ code, message, isRead: answer.method === 'GET' })) onRetry?.()
  }

  return (
    <div class="failure" role="alert">
      <strong>
        {answer.status === 0 ? 'No answer' : `${answer.status} ${code === String(answer.status) ? '' : code}`}
      </strong>
      <span>{message}</span>
      {canHelp && (
        <button type="button" onClick={signIn}>
          Sign in
        </button>
      )}
    </div>
  )
}
