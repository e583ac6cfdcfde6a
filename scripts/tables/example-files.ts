/** Which named blocks of the docs are files of an example. */
const EXAMPLES: readonly { readonly folder: string; readonly page: string; readonly files: RegExp }[] = [
  { folder: 'vite-react', page: 'docs/vite.md', files: /./ },
  {
    folder: 'next',
    page: 'docs/recipes.md',
    files: /^(?:db\.json|mock\.js|next\.config\.mjs|app\/.*|route\.test\.mjs)$/,
  },
  {
    folder: 'playwright',
    page: 'docs/testing.md',
    files: /^(?:db\.json|playwright\.config\.mjs|posts\.e2e\.mjs)$/,
  },
]

/** The files of examples/ that the docs show, by path. */
export function exampleFiles(read: (path: string) => string): Readonly<Record<string, string>> {
  const files = EXAMPLES.flatMap(({ folder, page, files }) =>
    namedBlocks(read(page), files).map(([name, text]) => [`examples/${folder}/${name}`, text] as const),
  )
  return Object.fromEntries(files)
}

/** The files that a page shows, by name. If it shows a second version of one, the first. */
export function namedBlocks(page: string, names: RegExp): readonly (readonly [name: string, text: string])[] {
  const blocks = [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(
    ([, name = '', text = '']) => [name, text] as const,
  )
  return [...new Map(blocks.filter(([name]) => names.test(name)).toReversed())]
}
