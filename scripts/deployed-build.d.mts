export function listBuilds(root: string): string[]
export function unknownBuild(root: string, id: string | undefined): string
export function namedBuild(root: string): string
export function deployedBuild(root: string): string | null
export function deploy(root: string, id: string): void
export function deleteOldBuilds(root: string, id: string): void
