import type { AccessInfo } from '../../core/kernel/catalogue/service-info.ts'
import { accounts } from '../client/caller.ts'
import { isGone } from '../client/live.ts'
import { ACTIONS, type Action, isAuthCode, requestSignIn, ruleOfRefusal } from '../client/refusal.ts'
import { type ApiResponse, errorOf } from '../client/send.ts'
import { me, resources } from '../client/service.ts'

/** Why a request failed. It stands below the title of its view, panel or card; in a form, above the buttons. */
export function Failure({ response, onRetry }: { response: ApiResponse; onRetry?: () => void }) {
  const { code, message } = errorOf(response)
  const isOfAccounts = Boolean(accounts.value) && /^AUTH_/.test(code)
  // With accounts, a login loads everything again.
  const canHelp = isOfAccounts || (onRetry && (isAuthCode(code) || code === 'FORBIDDEN_WRITE'))

  async function signIn(): Promise<void> {
    if (await requestSignIn({ code, message, isRead: response.method === 'GET' })) onRetry?.()
  }

  // The banner says so already.
  if (response.status === 0 && isGone.value) return null
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

/** The rules of the resource that a refusal names, and the one it broke. */
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

/** Who may do what with the rows of a resource. */
export function AccessRules({ access, broken }: { access: AccessInfo; broken?: Action }) {
  const hasOwner = ACTIONS.some((action) => access[action].includes('owner'))
  const keys = new Set(ACTIONS.flatMap((action) => access[action].filter((who) => who.startsWith('via:'))))
  return (
    <dl class="access">
      {ACTIONS.map((action) => (
        <div key={action} class={action === broken ? 'broken' : undefined}>
          <dt>{action}</dt>
          <dd>{access[action].join(' or ')}</dd>
        </div>
      ))}
      {hasOwner && (
        <div>
          <dt>owner</dt>
          <dd>
            the user in <code>{access.owner}</code>
          </dd>
        </div>
      )}
      {[...keys].map((key) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            who may read the row that <code>{key.slice(4)}</code> names; to write, who may update it
          </dd>
        </div>
      ))}
    </dl>
  )
}
