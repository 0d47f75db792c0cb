export function builds(root: string): string[]
export function deployedBuild(root: string): string | null
export function deploy(root: string, id: string): void
