export const buildFiles: readonly string[]
export function buildId(root: string): string
export function compilerId(root: string): string
export function routesId(root: string): string
