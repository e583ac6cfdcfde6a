import { odd } from '../fixtures.ts'
import { get, type Readings } from './table.ts'

const operators = ['', '_ne', '_gte', '_lte', '_like']

/** Each is sent as it stands, already encoded; none is a broken regular expression. */
const values = [
  '',
  '0',
  '5',
  '-3',
  '10',
  '010',
  '1.5',
  '1.50',
  '-0.25',
  '1e21',
  '1e%2B21',
  'true',
  'false',
  'null',
  'undefined',
  'NaN',
  'alpha',
  'ALPHA',
  '%20alpha',
  'alpha%20',
  '+',
  '%25',
  '2024-01-31',
  '2024-01',
  '2024-02-01T00:00:00.000Z',
  'deep',
  '%C3%A9t%C3%A9',
  '%E6%97%A5',
  '%5Bobject%20Object%5D',
  '^a',
  'a%24',
  '.',
  'a.b',
  'alpha%7CBeta',
  '%5Cd',
  '%5B0-9%5D',
]

const fields = ['id', 'v', 's', 'd', 'f', 'b', 'n', 'n.a.b', 'nope', 'nope.deep']

const paths = fields.flatMap((field) =>
  operators.flatMap((operator) => values.map((value) => `/things?${field}${operator}=${value}`)),
)

/** Every operator on every field with every value. */
export const operatorTable: Readings = {
  title: 'every operator with every value',
  data: odd,
  steps: paths.map((path) => get(path)),
}
