/** A name that is not taken: the wanted one, or with a number: `Post`, `Post2`, `Post3`. */
export function freeName(wanted: string, isTaken: (name: string) => boolean, separator = ''): string {
  let name = wanted
  for (let number = 2; isTaken(name); number++) name = `${wanted}${separator}${number}`
  return name
}
