export type Action = 'read' | 'create' | 'update' | 'delete'

export const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete']

/** The rule that a refusal names: `orders: update is for owner or role:admin.` */
export function ruleOfRefusal(
  message: string,
): { readonly resource: string; readonly action: Action } | undefined {
  const [, resource, name] = /^(.+): (\w+) is for /s.exec(message) ?? []
  const action = ACTIONS.find((one) => one === name)
  return resource !== undefined && action ? { resource, action } : undefined
}
