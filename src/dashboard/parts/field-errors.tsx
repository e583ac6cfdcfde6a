/** What is wrong with a field, in the server's words. */
export function FieldErrors({ id, errors }: { id?: string; errors: readonly string[] }) {
  if (errors.length === 0) return null
  return (
    <ul class="field-errors" id={id}>
      {errors.map((error) => (
        <li key={error}>{error}</li>
      ))}
    </ul>
  )
}
