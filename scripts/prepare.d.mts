export function run(command: string, args: readonly string[], options?: object): void
export function install(root: string): boolean
export function build(root: string): string
