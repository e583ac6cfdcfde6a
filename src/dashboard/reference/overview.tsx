import { CodedText } from './coded-text.tsx'
import { DocumentLink } from './document-link.tsx'
import { OperationList } from './operation-list.tsx'
import type { ApiDocument } from './read-document.ts'

/** The documents, what is worth knowing of all resources, and the paths of the server itself. */
export function Overview({ document }: { document: ApiDocument }) {
  const { about, otherBases, others, root } = document
  return (
    <>
      <header class="reference-head">
        <h1>API</h1>
      </header>
      <section aria-label="Documents">
        <ul class="documents">
          <DocumentLink
            path="/__openapi"
            title="OpenAPI document"
            about="for code generators, Postman and the like"
          />
          <DocumentLink path="/__schema" title="JSON Schema" about="of all data" />
        </ul>
        <ul class="about">
          {about.map((sentence) => (
            <li key={sentence}>
              <CodedText text={sentence} />
            </li>
          ))}
          {otherBases.map((url) => (
            <li key={url}>
              Rewrite rules serve all of it below <code>{url}</code>, too.
            </li>
          ))}
        </ul>
      </section>
      <OperationList title="Other endpoints" operations={others} root={root} source={NOTHING} />
    </>
  )
}

const NOTHING = { row: undefined, schema: {}, idField: 'id' }
