import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { send } from './api.js'

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const reload = () => client.invalidateQueries({ queryKey: ['tickets'] })

function Tickets() {
  const list = useQuery({ queryKey: ['tickets'], queryFn: () => send('/tickets?status=open') })
  const close = useMutation({
    mutationFn: async ({ id }) => {
      const { etag } = await send(`/tickets/${id}`)
      return send(`/tickets/${id}`, { method: 'PATCH', body: { status: 'done' }, etag })
    },
  })
  useEffect(() => {
    const events = new EventSource('/api/__events?resource=tickets')
    events.addEventListener('change', reload)
    return () => events.close()
  }, [])
  if (list.isError) return <p role="alert">{list.error.message}</p>
  return (
    <>
      {close.isError && <p role="alert">{close.error.message}</p>}
      <ul>
        {list.data?.data.map((ticket) => (
          <li key={ticket.id}>
            {ticket.title} <button onClick={() => close.mutate(ticket)}>Close</button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Form({ name, path, fields, onSent }) {
  const post = useMutation({
    mutationFn: (body) => send(path, { method: 'POST', body }),
    onSuccess: ({ data }) => onSent(data),
  })
  const submit = (event) => {
    event.preventDefault()
    post.mutate(Object.fromEntries(new FormData(event.target)))
  }
  return (
    <form onSubmit={submit}>
      {fields.map((field) => (
        <label key={field}>
          {field} <input name={field} type={field === 'password' ? field : 'text'} />
          <em>{post.error?.errors?.[field]}</em>
        </label>
      ))}
      <button>{name}</button>
      {post.isError && !post.error.errors && <p role="alert">{post.error.message}</p>}
    </form>
  )
}

function App() {
  const [user, setUser] = useState()
  const logIn = ({ accessToken, user }) => {
    sessionStorage.setItem('token', accessToken)
    setUser(user)
  }
  return (
    <>
      <Tickets />
      {user ? (
        <Form name="Add" path="/tickets" fields={['title', 'status']} onSent={reload} />
      ) : (
        <Form name="Log in" path="/login" fields={['email', 'password']} onSent={logIn} />
      )}
    </>
  )
}

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <QueryClientProvider client={client}>
    <App />
  </QueryClientProvider>,
)
