/** Tickets of agents with tags, thousands of agents among them. */
export function helpDesk() {
  return {
    tickets: Array.from({ length: 30 }, (_, index) => ({
      id: index + 1,
      title: `Ticket number ${index + 1}`,
      status: ['open', 'waiting', 'closed'][index % 3],
      text: index % 2 === 0 ? 'Short' : `A text that is too long for one line. ${'More of it. '.repeat(6)}`,
      isUrgent: index % 2 === 0,
      due: '2026-03-01',
      seenAt: '2026-01-31T10:00:00.000Z',
      agentId: (index % 3) + 1,
      tagIds: index === 2 ? [] : [1, 2].slice(0, (index % 2) + 1),
    })),
    agents: [
      { id: 1, name: 'Ada Lovelace' },
      { id: 2, name: 'Grace Hopper' },
      { id: 3, name: '', email: 'barbara@example.com' },
      ...Array.from({ length: 3000 }, (_, index) => ({
        id: index + 4,
        name: `Agent ${index + 4} of Annville`,
      })),
      { id: 4000, name: 'Ann' },
    ],
    tags: [{ id: 1, label: 'billing' }, { id: 2, label: 'refund' }, { id: 3, label: 'urgent' }, { id: 4 }],
  }
}
