import type { AccessInfo } from '../../catalogue/service-info.ts'
import { ACTIONS, type Action } from './refusal-rule.ts'

interface AccessRulesProps {
  readonly access: AccessInfo
  /** The one that made a refusal. */
  readonly broken?: Action
}

/** Who may do what with the rows of a resource. */
export function AccessRules({ access, broken }: AccessRulesProps) {
  const hasOwner = ACTIONS.some((action) => access[action].includes('owner'))
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
    </dl>
  )
}
