/** A text with the matches of a search highlighted; `marks` are [start, end) offsets in order. */
export function HighlightedText({
  text,
  marks,
}: {
  text: string
  marks: ReadonlyArray<readonly [number, number]>
}) {
  return marks
    .flatMap(([start, end], index) => [
      text.slice(marks[index - 1]?.[1] ?? 0, start),
      <mark key={start}>{text.slice(start, end)}</mark>,
    ])
    .concat(text.slice(marks.at(-1)?.[1] ?? 0))
}
