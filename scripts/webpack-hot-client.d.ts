declare module 'webpack-hot-middleware/client?reload=true&quiet=true' {
  const client: { subscribe: (handler: (event: { action: string }) => void) => void }
  export default client
}
