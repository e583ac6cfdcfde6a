/** The name of a function in `middlewares`, which no file has. */
export function handlerName(name: string, position: number): string {
  return `(function ${name === '' ? position + 1 : name})`
}

export function isHandlerName(entry: string): boolean {
  return /^\(function .*\)$/.test(entry)
}
