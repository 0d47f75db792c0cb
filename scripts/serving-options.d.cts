declare const options: { servingOptions: readonly string[] }
export = options
