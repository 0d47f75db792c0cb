export function listBuilds(root: string): string[]
export function unknownBuild(root: string, id: string | undefined): string
export function deployedBuild(root: string): string | null
export function deploy(root: string, id: string): void
