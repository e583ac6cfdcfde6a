export type JobFault = 'busy' | 'slow' | 'died' | 'unwanted'

export class JobError extends Error {
  override readonly name = 'JobError'
  readonly fault: JobFault

  constructor(fault: JobFault, cause?: unknown) {
    super(`${MESSAGES[fault]}${cause instanceof Error ? `: ${cause.message}` : ''}`, { cause })
    this.fault = fault
  }
}

const MESSAGES: Readonly<Record<JobFault, string>> = {
  busy: 'Too many jobs are waiting for the thread',
  slow: 'The job took too long',
  died: 'The thread ended in the middle of the job',
  unwanted: 'Nobody is waiting for the job anymore',
}
