/** Words to avoid in English texts. */

export type Audience = 'visitors' | 'developers'
type StyleProblem = { line: number; text: string; reason: string }
type Rule = { words: RegExp; reason: string; audiences: readonly Audience[] }

const all: readonly Audience[] = ['visitors', 'developers']
const rules: readonly Rule[] = [
  {
    words: /\b(?:nobody|somebody|whoever)\b/i,
    reason: 'name the person or the role: "a teammate", "no one else", "anyone who"',
    audiences: all,
  },
  {
    words: /\b(?:of its own\b|as it is(?=\s*[.,;:|)]))/i,
    reason: 'say what is meant: "separate", "its own", "unchanged"',
    audiences: all,
  },
  {
    words: /\bof their own\b/i,
    reason: 'say what is meant: "separate", "their own"',
    audiences: ['developers'],
  },
  {
    words: /\b(?:stands|lies|bears)\b/i,
    reason: 'write "is" or "has"',
    audiences: all,
  },
  {
    words: /\b(?:simply|seamless(?:ly)?|powerful|unlocks?|effortless(?:ly)?|cutting-edge)\b/i,
    reason: 'say what it does',
    audiences: ['visitors'],
  },
]

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
/**
 * Code and addresses are not checked, nor names of tests that documents quote. Lines stay where
 * they are.
 */
function withoutCode(text: string, audience: Audience): string {
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, blank)
    .replace(/`[^`\n]*`|\]\([^)]*\)|\{#[^}]*\}/g, blank)
  return audience === 'developers' ? prose.replace(/"[^"]*"/g, blank) : prose
}

/** Words of a text that its readers should not meet, with the line of each (from 1). */
export function findStyleProblems(text: string, audience: Audience): StyleProblem[] {
  const lines = withoutCode(text, audience).split('\n')
  return rules
    .filter(({ audiences }) => audiences.includes(audience))
    .flatMap(({ words, reason }) =>
      lines.flatMap((line, index) =>
        [...line.matchAll(new RegExp(words, 'gi'))].map(([found]) => ({
          line: index + 1,
          text: found,
          reason,
        })),
      ),
    )
    .sort((a, b) => a.line - b.line)
}
