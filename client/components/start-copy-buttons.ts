/** How long a button shows that it has copied. */
const confirmationMs = 2000

let status: HTMLElement | null = null

/** Screen readers announce a live region only if it is in the page before its text changes. */
function addStatusRegion(): HTMLElement {
  const region = document.createElement('div')
  region.className = 'sr-only'
  region.setAttribute('role', 'status')
  document.body.append(region)
  return region
}

/** The text that a button copies: its `data-copy`, or the code in the same `data-copy-from`. */
const textToCopy = (button: HTMLElement): string =>
  button.dataset['copy'] ||
  button.closest('[data-copy-from]')?.querySelector('pre, code')?.textContent.trim() ||
  ''

async function fetchText(address: string): Promise<Blob> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: status ${response.status}`)
  return new Blob([await response.text()], { type: 'text/plain' })
}

function writeToClipboard(button: HTMLElement): Promise<void> {
  const source = button.dataset['copySource']
  if (source === undefined) return navigator.clipboard.writeText(textToCopy(button))
  // Safari allows writing only during the click, but accepts a promise of the text.
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': fetchText(source) })])
}

async function copy(button: HTMLElement): Promise<void> {
  try {
    await writeToClipboard(button)
  } catch {
    // Permission denied, no secure context or no network. The visitor can still select the text.
    return
  }
  button.dataset['copied'] = ''
  if (status) status.textContent = button.dataset['copiedText'] ?? ''
  window.setTimeout(() => {
    delete button.dataset['copied']
    if (status) status.textContent = ''
  }, confirmationMs)
}

/** Starts one listener for all copy buttons, including later ones. Further calls do nothing. */
export function startCopyButtons(): void {
  if (status) return
  status = addStatusRegion()
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('button[data-copy]')
        : null
    if (button) void copy(button)
  })
}
