import type { Schema } from '../client/field-schema.ts'
import { pathOf } from '../client/query.ts'
import { formatRoute } from '../client/route.ts'
import { idField, resources } from '../client/service.ts'
import { AccessRules } from '../sign-in/access-rules.tsx'
import { DocumentLink } from './document-link.tsx'
import { exampleRow } from './example-call.ts'
import { FieldTable } from './field-table.tsx'
import { OperationList } from './operation-list.tsx'
import type { Resource } from './read-document.ts'

/** One resource: its fields, and what can be asked of it. */
export function ResourceReference({ resource, root }: { resource: Resource; root: Schema }) {
  const { name, kind, schema, operations } = resource
  const source = { row: exampleRow(operations, root), schema, idField: idField() }
  const access = resources.value.find((one) => one.name === name)?.access
  return (
    <>
      <header class="reference-head">
        <h1>{name}</h1>
        <span class="count">{kind}</span>
        <span class="spring" />
        <ul class="documents">
          <DocumentLink path={`/__schema${pathOf(name)}`} title="JSON Schema" />
          <li>
            <a href={formatRoute({ view: 'data', resource: name, query: '' })}>Data</a>
          </li>
        </ul>
      </header>
      <FieldTable schema={schema} root={root} />
      {access && (
        <section aria-labelledby="access">
          <h2 id="access">Who may do what</h2>
          <AccessRules access={access} />
        </section>
      )}
      <OperationList title="Endpoints" operations={operations} root={root} source={source} />
    </>
  )
}
