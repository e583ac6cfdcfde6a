import { describe, expect, it } from 'vitest'
import { isLost, isUnavailable } from '../../../src/storage/postgres/link/unavailable.ts'

describe('a failure of the database', () => {
  it.each([
    'ECONNREFUSED',
    'EPROTO',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'CERT_HAS_EXPIRED',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ])('is one of the connection, which may be made again later: %s', (code) => {
    const error = Object.assign(new Error('what the system says'), { code })
    expect([isUnavailable(error), isLost(error)]).toEqual([true, true])
  })

  it.each(['42601', '22021', 'ERR_INVALID_ARG_TYPE', ''])('is a mistake of ours: %j', (code) => {
    const error = Object.assign(new Error('what the server says'), { code })
    expect([isUnavailable(error), isLost(error)]).toEqual([false, false])
  })
})
