import { configDefaults, defineConfig } from 'vitest/config'

/** These measure how long others wait, or load the machine on purpose, so nothing else may run at the same time. */
const ALONE = [
  'test/load/*.test.ts',
  'test/hostile/{busy*,large-answers,leaks,logins,patches,patterns,sign-ups,slow-clients}.test.ts',
  'test/faults/{clock,edit-storm,mounted,odd-files,watch-storm}.test.ts',
]

const TIMES = { testTimeout: 20_000, hookTimeout: 30_000 }

export default defineConfig({
  test: {
    globalSetup: ['test/support/temp-folder.ts', 'test/support/package/build.ts', 'test/support/postgres/setup.ts'],
    projects: [
      {
        test: {
          ...TIMES,
          name: 'side by side',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
          maxWorkers: '150%',
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...TIMES, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
