/** What a browser's script may read of our answers when it comes from another origin. */
export const EXPOSED_HEADERS: readonly string[] = [
  'X-Total-Count',
  'Link',
  'Location',
  'Content-Range',
  'ETag',
]
