const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A time (ms since 1970) in the operator's time zone. */
export const formatTime = (time: number): string => format.format(time)
