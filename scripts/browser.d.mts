export function findBrowser(): string | null
export function ensureBrowser(root: string): string
export function ensureTestBrowser(root: string): string
