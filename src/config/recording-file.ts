import { dirname, join } from 'node:path'

/** Where answers of a real API are kept: beside the config, else in the working directory. Never data. */
export function recordingFile(configFile?: string): string {
  return join(configFile === undefined ? '.' : dirname(configFile), 'restable.recording.json')
}
