import { SINGLE_WRITES } from './deeds.ts'
import { NAMES, type Parameter, TEXT, TOGGLE } from './parameter.ts'

export const WRITE_PARAMETERS: readonly Parameter[] = [
  {
    name: '_dependent',
    schema: NAMES,
    description: 'Also delete the rows of these collections that point here',
    deeds: ['delete', 'deleteMany'],
    when: ({ cascade }) => !cascade,
  },
  {
    name: '_all',
    schema: { const: 'true' },
    description: 'Needed to change or delete all rows; otherwise, a filter is required',
    deeds: ['patchMany', 'deleteMany'],
    givesWay: true,
  },
  {
    name: '_upsert',
    schema: TOGGLE,
    description: ({ upsert }) =>
      upsert
        ? '`false`: 404 if the item does not exist, instead of creating it'
        : '`true`: create the item if it does not exist, 201 with `Location`',
    deeds: ['replace'],
  },
  {
    name: 'If-Match',
    in: 'header',
    schema: TEXT,
    description: 'The `ETag` of the plain item: 412 if it has changed since',
    deeds: SINGLE_WRITES,
  },
]
