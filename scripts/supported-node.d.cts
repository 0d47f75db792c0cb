declare const supported: {
  supportedRange: string
  isSupported: (version: string, range?: string) => boolean
}
export = supported
