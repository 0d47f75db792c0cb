/** Gives the focus to the page's content, because the element that has it is about to disappear. */
export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true })
