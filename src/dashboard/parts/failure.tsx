import { accounts } from '../client/login.ts'
import { me } from '../client/me.ts'
import { type ApiResponse, errorOf } from '../client/send.ts'
import { resources } from '../client/service.ts'
import { AccessRules } from '../sign-in/access-rules.tsx'
import { isAuthCode, requestSignIn } from '../sign-in/ask.ts'
import { ruleOfRefusal } from '../sign-in/refusal-rule.ts'

interface FailureProps {
  readonly response: ApiResponse
  /** Offered where signing in may help. */
  readonly onRetry?: () => void
}

/** Why a request failed, in the server's own words. */
export function Failure({ response, onRetry }: FailureProps) {
  const { code, message } = errorOf(response)
  const isOfAccounts = Boolean(accounts.value) && /^AUTH_/.test(code)
  // With accounts, everything is loaded again for somebody else.
  const canHelp = isOfAccounts || (onRetry && (isAuthCode(code) || code === 'FORBIDDEN_WRITE'))

  async function signIn(): Promise<void> {
    if (await requestSignIn({ code, message, isRead: response.method === 'GET' })) onRetry?.()
  }

  return (
    <div class="failure" role="alert">
      <strong>
        {response.status === 0
          ? 'No response'
          : `${response.status} ${code === String(response.status) ? '' : code}`}
      </strong>
      <span>{message}</span>
      {canHelp && (
        <button type="button" onClick={signIn}>
          {isOfAccounts ? 'Log in' : 'Sign in'}
        </button>
      )}
      {isOfAccounts && <Explanation message={message} />}
    </div>
  )
}

/** The rules of the resource that a refusal names, and who broke which. */
function Explanation({ message }: { message: string }) {
  const rule = ruleOfRefusal(message)
  const access = resources.value.find(({ name }) => name === rule?.resource)?.access
  return (
    <div class="refusal">
      <p>{me.value ? `You are ${me.value.email}, role ${me.value.role}.` : 'You are not logged in.'}</p>
      {rule && access && <AccessRules access={access} broken={rule.action} />}
    </div>
  )
}
