import fc from 'fast-check'
import { SEED } from './length.ts'

fc.configureGlobal({ seed: SEED })
