/** Inserts a script and waits for it; the policy's `'strict-dynamic'` trusts what a trusted script inserts. Rejects when it does not load. */
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
