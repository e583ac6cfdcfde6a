declare module 'lodash-id' {
  const methods: Record<string, (...args: readonly unknown[]) => unknown>
  export default methods
}
