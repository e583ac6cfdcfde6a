/** The value in a document that a reference such as `#/$defs/money` leads to. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  const steps = pointer.replace(/^#\/?/, '').split('/')
  if (pointer === '#' || pointer === '#/') return root
  return steps.reduce<unknown>((here, step) => {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(here)) return here[Number(name)]
    return typeof here === 'object' && here !== null && Object.hasOwn(here, name)
      ? Reflect.get(here, name)
      : undefined
  }, root)
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
