import type { OwnStatuses } from '../../core/router/own-statuses.ts'
import type { ShapeTemplate } from './shape-template.ts'

const PAGE_LINKS = { first: '$first', last: '$last', prev: '$prev', next: '$next' }
const STRAPI_ERROR = { status: '$status', name: '$name', message: '$message', details: {} }
const SPRING_ERROR = {
  timestamp: '$time',
  status: '$status',
  error: '$title',
  message: '$message',
  path: '$path',
}
const JSON_API_ERROR = { status: '{$status}', code: '$code', title: '$title' }

/** A page of json-server 1.0. */
export const ENVELOPE = {
  first: '$firstPage',
  prev: '$prevPage',
  next: '$nextPage',
  last: '$lastPage',
  pages: '$lastPage',
  items: '$total',
  data: '$rows',
}

/** The envelopes of other servers, as their documentation has them: test/wings/shapes/presets.test.ts names the pages. */
export const PRESETS = {
  laravel: {
    list: {
      data: '$rows',
      links: PAGE_LINKS,
      meta: {
        current_page: '$page',
        from: '$from',
        last_page: '$lastPage',
        path: '$path',
        per_page: '$size',
        to: '$to',
        total: '$total',
      },
    },
    item: { data: '$row' },
    error: { message: '$message' },
    invalid: { message: '$message', errors: '$errorLists' },
    params: { page: 'page', size: 'per_page', sort: 'sort', filter: 'filter', embed: 'include' },
    pages: { size: 15 },
  },
  spring: {
    list: {
      content: '$rows',
      page: { size: '$size', number: '$page', totalElements: '$total', totalPages: '$pages' },
    },
    item: '$row',
    error: SPRING_ERROR,
    invalid: { ...SPRING_ERROR, errors: [{ field: '$field', defaultMessage: '$problem' }] },
    params: { page: 'page', size: 'size', sort: 'sort' },
    pages: { from: 0, size: 20 },
  },
  drf: {
    list: { count: '$total', next: '$next', previous: '$prev', results: '$rows' },
    item: '$row',
    error: { detail: '$message' },
    invalid: '$errorLists',
    params: {
      page: 'page',
      size: 'page_size',
      start: 'offset',
      limit: 'limit',
      sort: 'ordering',
      search: 'search',
      lookup: '__',
    },
    pages: { size: 100 },
  },
  jsonapi: {
    list: {
      links: PAGE_LINKS,
      meta: { total: '$total', totalPages: '$pages' },
      data: '$rows',
      included: '$included',
    },
    item: { data: '$row', included: '$included' },
    row: { type: '$resource', id: '{$id}', attributes: '$fields', relationships: '$relationships' },
    error: { errors: [{ ...JSON_API_ERROR, detail: '$message' }] },
    invalid: {
      errors: [{ ...JSON_API_ERROR, detail: '$problem', source: { pointer: '/data/attributes/{$pointer}' } }],
    },
    params: {
      page: 'page[number]',
      size: 'page[size]',
      start: 'page[offset]',
      limit: 'page[limit]',
      sort: 'sort',
      filter: 'filter',
      embed: 'include',
      fields: 'fields',
    },
    type: 'application/vnd.api+json',
    ignored: ['meta', 'links', 'jsonapi', 'lid'],
  },
  strapi: {
    list: {
      data: '$rows',
      meta: { pagination: { page: '$page', pageSize: '$size', pageCount: '$pages', total: '$total' } },
    },
    offset: { data: '$rows', meta: { pagination: { start: '$start', limit: '$size', total: '$total' } } },
    item: { data: '$row', meta: {} },
    error: { data: null, error: STRAPI_ERROR },
    invalid: {
      data: null,
      error: {
        ...STRAPI_ERROR,
        name: 'ValidationError',
        details: { errors: [{ path: ['$field'], message: '$problem', name: 'ValidationError' }] },
      },
    },
    params: {
      page: 'pagination[page]',
      size: 'pagination[pageSize]',
      start: 'pagination[start]',
      limit: 'pagination[limit]',
      sort: 'sort',
      filter: 'filters',
      embed: 'populate',
      fields: 'fields',
    },
    pages: { size: 25 },
  },
  dummyjson: {
    list: { $resource: '$rows', total: '$total', skip: '$start', limit: '$count' },
    item: '$row',
    error: { message: '$message' },
    params: { start: 'skip', limit: 'limit', sort: 'sortBy', order: 'order', fields: 'select' },
    pages: { size: 30 },
  },
  'json-server-1': {
    list: ENVELOPE,
    unpaged: '$rows',
    offset: '$rows',
    item: '$row',
    params: { page: '_page', size: '_per_page' },
    pages: { pastEnd: 'last' },
  },
  problem: {
    error: {
      type: 'about:blank',
      title: '$title',
      status: '$status',
      detail: '$message',
      code: '$code',
      errors: '$errors',
    },
    errorType: 'application/problem+json',
  },
} as const satisfies Readonly<Record<string, ShapeTemplate>>

/** The statuses of these servers, where they are not ours: the same test names the pages. */
export const PRESET_STATUSES: Readonly<Partial<Record<keyof typeof PRESETS, OwnStatuses>>> = {
  laravel: { conflict: 422 },
  spring: { delete: 204, invalid: 400 },
  drf: { delete: 204, invalid: 400, conflict: 400 },
  jsonapi: { delete: 204 },
  strapi: { delete: 204, invalid: 400, conflict: 400 },
}
