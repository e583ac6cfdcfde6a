import { absolute } from '../client/send.ts'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { Icon } from '../parts/icon.tsx'

/** A link to a document, and the request behind it to copy: where a guard is on, a link alone is refused. */
export function DocumentLink({ path, title, about }: { path: string; title: string; about?: string }) {
  return (
    <li>
      <a href={absolute(path)} target="_blank" rel="noreferrer">
        {title} <Icon name="external" />
      </a>
      {about && <span class="count">{about}</span>}
      <CopyMenu path={path} />
    </li>
  )
}
