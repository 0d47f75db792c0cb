declare const options: { nodeOptions: readonly string[] }
export = options
