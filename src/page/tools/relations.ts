import type { ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'

/** A relation by the name that `_embed` and `_expand` know. */
export interface Step {
  readonly name: string
  readonly resource: string
  /** The foreign key, on whichever side it is. */
  readonly field: string
}

export const MOST_LEVELS = 5

export function parentsOf(all: readonly ResourceInfo[], resource: string): readonly Step[] {
  const relations = all.find(({ name }) => name === resource)?.relations ?? []
  return relations.map(({ expand, resource: target, field }) => ({ name: expand, resource: target, field }))
}

/** Whatever comes as a list: children, and both sides of many to many. */
export function childrenOf(all: readonly ResourceInfo[], resource: string): readonly Step[] {
  const children = all.flatMap(({ name, relations, lists = [] }) => {
    const relation = [...relations, ...lists].find((one) => one.resource === resource)
    return relation ? [{ name, resource: name, field: relation.field }] : []
  })
  const lists = all.find(({ name }) => name === resource)?.lists ?? []
  // Children with a foreign key come first, as in the API.
  const others = lists.filter(({ expand }) => children.every(({ name }) => name !== expand))
  return [...children, ...others.map(({ expand, field }) => ({ name: expand, resource: expand, field }))]
}

/** The relations of what a step led to. From a child back to its parent would be the row one came from. */
export function deeperThan(all: readonly ResourceInfo[], step: Step): readonly Step[] {
  const isChild = step.name === step.resource
  return [
    ...childrenOf(all, step.resource),
    ...parentsOf(all, step.resource).filter(({ field }) => !isChild || field !== step.field),
  ]
}

/** Whether a relation is attached: `products.reviews` attaches the products, too. */
export function isAttached(chosen: readonly string[], path: string): boolean {
  return chosen.some((other) => other === path || other.startsWith(`${path}.`))
}

/** The chosen relations after one was ticked, or unticked with all that hangs on it. */
export function toggleRelation(chosen: readonly string[], path: string): readonly string[] {
  const above = path.slice(0, Math.max(0, path.lastIndexOf('.')))
  if (!isAttached(chosen, path)) return [...chosen.filter((other) => other !== above), path]
  const rest = chosen.filter((other) => !isAttached([other], path))
  return above === '' || isAttached(rest, above) ? rest : [...rest, above]
}
