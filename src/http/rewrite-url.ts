/** What rewrite rules make of a URL. */
export type RewriteUrl = (url: string) => string
