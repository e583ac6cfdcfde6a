import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Refusal, send } from './send.ts'
import type { Ticket } from './types'

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const reload = () => client.invalidateQueries({ queryKey: ['tickets'] })

function Tickets() {
  const list = useQuery({ queryKey: ['tickets'], queryFn: () => send<Ticket[]>('/tickets?status=open') })
  const close = useMutation({
    mutationFn: async ({ id }: Ticket) => {
      const { etag } = await send<Ticket>(`/tickets/${id}`)
      return send<Ticket>(`/tickets/${id}`, { method: 'PATCH', body: { status: 'done' }, etag })
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

interface FormProps<T> {
  name: string
  path: string
  fields: string[]
  onSent: (data: T) => void
}

function Form<T>({ name, path, fields, onSent }: FormProps<T>) {
  const post = useMutation<{ data: T }, Refusal, object>({
    mutationFn: (body) => send<T>(path, { method: 'POST', body }),
    onSuccess: ({ data }) => onSent(data),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        post.mutate(Object.fromEntries(new FormData(event.currentTarget)))
      }}
    >
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

function Desk() {
  const [isLoggedIn, setLoggedIn] = useState(false)
  const logIn = ({ accessToken }: { accessToken: string }) => {
    sessionStorage.setItem('token', accessToken)
    setLoggedIn(true)
  }
  return (
    <>
      <Tickets />
      {isLoggedIn ? (
        <Form name="Add" path="/tickets" fields={['title', 'status']} onSent={reload} />
      ) : (
        <Form name="Log in" path="/login" fields={['email', 'password']} onSent={logIn} />
      )}
    </>
  )
}

export default function App() {
  return (
    <QueryClientProvider client={client}>
      <Desk />
    </QueryClientProvider>
  )
}
