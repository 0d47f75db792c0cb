export function run(command: string, args: readonly string[], options?: object): void
export function checkNode(): void
export function install(root: string): void
export function build(root: string): string
