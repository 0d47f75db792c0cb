/** The UTC day of a time: `2026-11-28`. */
export const utcDay = (time: number | Date): string => new Date(time).toISOString().slice(0, 10)
