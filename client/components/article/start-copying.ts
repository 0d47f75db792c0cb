/** How long a button says that it has copied (ms). */
const shownFor = 2000

let status: HTMLElement | null = null

/** A live region must be in the page before its text changes, or it is not read out. */
function startStatus(): HTMLElement {
  const region = document.createElement('div')
  region.className = 'sr-only'
  region.setAttribute('role', 'status')
  document.body.append(region)
  return region
}

/** What a button copies: its own `data-copy`, or the code that it stands with. */
const textOf = (button: HTMLElement): string =>
  button.dataset['copy'] ||
  button.closest('[data-copy-from]')?.querySelector('pre, code')?.textContent?.trim() ||
  ''

async function copy(button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(textOf(button))
  } catch {
    // Refused, or no secure context: the text stays on the page and can be marked by hand.
    return
  }
  button.dataset['copied'] = ''
  if (status) status.textContent = button.dataset['copiedText'] ?? ''
  window.setTimeout(() => {
    delete button.dataset['copied']
    if (status) status.textContent = ''
  }, shownFor)
}

/** One listener for every copy button of the page, those that are added later included. Further calls do nothing. */
export function startCopying(): void {
  if (status) return
  status = startStatus()
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('button[data-copy]')
        : null
    if (button) void copy(button)
  })
}
