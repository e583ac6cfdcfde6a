import type { Data, Naming } from '../storage/types.ts'

/** A small coherent database to begin with, in the naming that the server was started with. */
export function sampleData({ id, foreignKeySuffix }: Naming = { id: 'id', foreignKeySuffix: 'Id' }): Data {
  const companyKey = `company${foreignKeySuffix}`
  return {
    products: [
      { [id]: 1, name: 'Desk lamp', price: 39.9, [companyKey]: 1 },
      { [id]: 2, name: 'Office chair', price: 189.5, [companyKey]: 1 },
      { [id]: 3, name: 'Espresso cup', price: 7.25, [companyKey]: 2 },
    ],
    companies: [
      {
        [id]: 1,
        name: 'Bright Rooms',
        revenue: 4_200_000.5,
        headquarter: { lat: 45.4642, lon: 9.19 },
        locations: [{ city: 'Milan', employee_number: 120, state: 'Lombardy' }],
      },
      {
        [id]: 2,
        name: 'Morning Cup',
        revenue: 1_350_000.25,
        headquarter: { lat: 41.9028, lon: 12.4964 },
        locations: [
          { city: 'Rome', employee_number: 45, state: 'Lazio' },
          { city: 'Turin', employee_number: 18, state: 'Piedmont' },
        ],
      },
    ],
  }
}
