import { parentPort } from 'node:worker_threads'
import { type CodecJob, runCodec } from './translate.ts'

/** The program of the thread that `translate` runs. */
parentPort?.on('message', async (job: CodecJob) => parentPort?.postMessage(await runCodec(job)))
parentPort?.postMessage('ready')
