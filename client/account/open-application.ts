/**
 * Goes to the application, in a new tab where the browser allows one: browsers do so only right
 * after a click on the page. The address holds a token that is valid once, so it is opened once.
 * With `noopener`, `window.open` returns null for a tab that it has opened, so the new tab is
 * opened empty and cut off from this page before it goes to the application.
 */
export function openApplication(window: Window, url: string, target: 'same' | 'new'): void {
  const tab = target === 'new' ? window.open('', '_blank') : null
  if (tab) tab.opener = null
  const { location } = tab ?? window
  location.replace(url)
}
