/** Functions in `middlewares` go by names, which no file has. */
export function handlerName(name: string, place: number): string {
  return `(function ${name === '' ? place + 1 : name})`
}

export function isHandlerName(entry: string): boolean {
  return /^\(function .*\)$/.test(entry)
}
