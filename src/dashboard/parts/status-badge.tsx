/** A status in a color that means the same everywhere; the number says it without color. */
export function StatusBadge({ status }: { status: number }) {
  const kind =
    status === 0 ? 'none' : status < 300 ? 'good' : status < 400 ? 'same' : status < 500 ? 'warn' : 'bad'
  return <span class={`badge ${kind}`}>{status === 0 ? 'no response' : status}</span>
}

export function MethodBadge({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}
