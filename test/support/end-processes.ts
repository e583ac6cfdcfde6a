import { afterAll } from 'vitest'
import { endRealServers } from './child/real-server.ts'

/** What tests of a file started ends with it. */
afterAll(endRealServers)
