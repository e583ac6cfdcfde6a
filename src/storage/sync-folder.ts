import { open } from 'node:fs/promises'

/** Makes the names in a folder safe against a power cut: without it a finished rename may still be undone. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows keeps names safe by itself, and opens no folders.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
