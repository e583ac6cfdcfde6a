import { expect } from 'vitest'

export interface Answer {
  readonly data: unknown
  readonly total?: number
}

/** What react-admin calls, as far as it is called here. */
export type DataProvider = Record<
  | 'getList'
  | 'getOne'
  | 'getMany'
  | 'getManyReference'
  | 'create'
  | 'update'
  | 'updateMany'
  | 'delete'
  | 'deleteMany',
  (resource: string, params: object) => Promise<Answer>
>

/** The product at an index of the list. */
export const product = (index: number) => ({
  id: index + 1,
  name: `product ${index + 1}`,
  price: 30 - index,
  company_id: 1 + (index % 2),
})
export const page = (number: number, perPage: number) => ({ page: number, perPage })
export const ids = (...all: number[]) => all.map((id) => expect.objectContaining({ id }))
