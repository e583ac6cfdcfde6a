import express from 'express'
import request from 'supertest'
import { expect, it } from 'vitest'
import { StorageError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { FAULT_LOG, sendFailure } from '../../../src/core/router/respond.ts'
import { unavailable } from '../../../src/stores/postgres/failures.ts'

const failure = (code: string, message: string) => unavailable(Object.assign(new Error(message), { code }))

it.each<[string, StorageError, string]>([
  [
    'that is not there',
    failure('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'),
    'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:5432',
  ],
  [
    'that is full',
    failure('53100', 'could not extend file "base/1": No space left on device\nHINT: Check free disk space.'),
    'The database has no space left: could not extend file "base/1": No space left on device',
  ],
  [
    'that lets nobody in',
    failure('28000', 'role "mock" is not permitted to log in'),
    'The database refuses this server: role "mock" is not permitted to log in',
  ],
  [
    'that gives no reason',
    new StorageError('SOURCE_UNAVAILABLE', 'The database went away. Read it again.'),
    'The database went away. Read it again.',
  ],
])('the log has one line for a database %s: what it says', async (_, error, line) => {
  const lines: string[] = []
  const app = express()
  app.set(FAULT_LOG, (text: string) => lines.push(text))
  app.get('/', (_req, res) => sendFailure(res, error))
  const { status, body } = await request(app).get('/')
  expect([status, body.code, body.message]).toEqual([503, 'SOURCE_UNAVAILABLE', error.message])
  expect(lines).toEqual([line])
})
