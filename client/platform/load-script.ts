/**
 * Inserts a script and waits until it has run. The policy's `'strict-dynamic'` allows scripts that
 * a trusted script inserts. Rejects when the script does not load.
 */
export function loadScript(document: Document, address: string): Promise<HTMLScriptElement> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.addEventListener('load', () => resolve(script))
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`${new URL(address, document.baseURI).host} did not load`))
    })
    document.head.append(script)
  })
}
