/** What the content process sends to the server that started it, each time it has compiled. `node`: its `process.version`. */
export type ContentMessage = { type: 'compiled'; generation: number; node: string }
