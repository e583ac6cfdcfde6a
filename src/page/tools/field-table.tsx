import { Fragment } from 'preact'
import { useId } from 'preact/hooks'
import type { Schema } from '../client/field-schema.ts'
import { formatRoute } from '../client/route.ts'
import { CodedText, ColumnTitles } from '../parts/elements.tsx'
import { shorten } from '../parts/format.ts'
import { type DescribedField, describeFields } from './describe-field.ts'

export function FieldTable({ schema, root }: { schema: Schema; root: Schema }) {
  const id = useId()
  const fields = describeFields(schema, root)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="wide-table" aria-labelledby={id} tabIndex={0}>
      <h2 id={id}>Fields</h2>
      {fields.length === 0 && <p class="hint">There are no fields yet.</p>}
      {fields.length > 0 && (
        <table class="reference-table">
          <ColumnTitles titles={['Field', 'Type', 'Notes']} />
          <tbody>
            {fields.map((described) => (
              <FieldLine key={described.path} described={described} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function FieldLine({ described }: { described: DescribedField }) {
  const { path, type, field, limits } = described
  const { isRequired, isInferred, isNullable, isReadOnly, format, choices, references, description } = field
  const marks = [
    ...(isRequired ? [isInferred ? 'always present' : 'required'] : []),
    ...(isNullable ? ['nullable'] : []),
    ...(isReadOnly ? ['read-only'] : []),
  ]
  return (
    <tr>
      <th scope="row">
        <code>{shorten(path, 100)}</code>
      </th>
      <td>
        {type}
        {choices && <Choices choices={choices} />}
        {format !== undefined && <span class="count"> ({format})</span>}
      </td>
      <td class="notes">
        {/* Spaces between the parts, for screen readers. */}
        {marks.map((mark) => (
          <Fragment key={mark}>
            <span class={mark === 'always present' ? 'count' : 'badge'}>{mark}</span>{' '}
          </Fragment>
        ))}
        {references !== undefined && (
          <a href={formatRoute({ view: 'api', resource: references })}>id of {references}</a>
        )}{' '}
        {limits.length > 0 && <span>{limits.join(', ')}</span>}{' '}
        {field.default !== undefined && (
          <span>
            default <code>{shorten(JSON.stringify(field.default), 60)}</code>
          </span>
        )}
        {description !== undefined && references === undefined && (
          <CodedText text={shorten(description, 300)} />
        )}
      </td>
    </tr>
  )
}

const MOST_CHOICES = 20

function Choices({ choices }: { choices: readonly unknown[] }) {
  return (
    <>
      {choices.slice(0, MOST_CHOICES).map((choice, at) => (
        <code key={at}> {shorten(JSON.stringify(choice), 40)}</code>
      ))}
      {choices.length > MOST_CHOICES && ' …'}
    </>
  )
}
