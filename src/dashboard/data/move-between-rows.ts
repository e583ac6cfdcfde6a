/** Up and down move between rows, and from the search into them; Enter opens one, as with any link. */
export function moveBetweenRows(event: KeyboardEvent): void {
  const { key, target } = event
  const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || hasModifier || !(target instanceof Element)) return
  const row = target.closest('.grid-frame tbody tr')
  if (!row && !target.matches('body, main, [type="search"]')) return
  const [first, open] = ['tbody tr', 'tbody tr.open'].map((rows) =>
    document.querySelector(`.grid-frame ${rows}`),
  )
  const next = key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const goal = row ? next : (open ?? first)
  const control = goal?.querySelector<HTMLElement>(target.matches('.pick input') ? 'input' : 'a')
  if (!control) return
  event.preventDefault()
  control.focus()
}
