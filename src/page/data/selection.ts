/**
 * The selection after a click on the checkbox of a row.
 * @param ids of all rows, as they are shown
 * @param from where a range starts that ends at this row
 */
export function toggleRow(
  selected: ReadonlySet<string>,
  ids: readonly string[],
  id: string,
  from?: string,
): ReadonlySet<string> {
  const start = from === undefined ? -1 : ids.indexOf(from)
  const end = ids.indexOf(id)
  const range = start === -1 ? [id] : ids.slice(Math.min(start, end), Math.max(start, end) + 1)
  const others = [...selected].filter((other) => !range.includes(other))
  return new Set(selected.has(id) ? others : [...others, ...range])
}
