const CITIES = ['Rome', 'Milan', 'Turin', 'Naples', 'Genoa']

/** Five companies with something nested. */
export function companies() {
  return CITIES.map((city, index) => ({
    id: index + 1,
    name: `Company ${city}`,
    revenue: 1_000_000.5 * (index + 1),
    headquarter: { lat: 40 + index, lon: 10 + index },
    locations: [{ city, employee_number: 10 * (index + 1), state: 'Italy' }],
  }))
}

/** Sixty products, twelve of each company. */
export function products() {
  return Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    name: `Product ${String(index + 1).padStart(2, '0')}`,
    price: (index + 1) * 10,
    company_id: (index % 5) + 1,
  }))
}
