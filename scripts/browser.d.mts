export function findBrowser(): string | null
export function ensureBrowser(root: string): string
