import { api } from '../mock.js'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const posts = await (await api.fetch('/api/posts')).json()
  return <ul>{posts.map(({ id, title }) => <li key={id}>{title}</li>)}</ul>
}
