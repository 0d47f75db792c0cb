/**
 * `npm run facts`: prints English texts of `locales/en` and `content/` that contradict
 * `content/product.yaml`. Exits with 1 when there are any.
 */
import { resolve } from 'node:path'
import { checkFacts } from './facts/check-facts'

const findings = checkFacts(resolve(__dirname, '..'))
for (const { file, line, sentence, reason } of findings)
  console.log(`${file}:${line}: ${reason}\n  ${sentence.slice(0, 200)}`)
console.log(findings.length === 0 ? 'no contradictions' : `${findings.length} contradictions`)
process.exitCode = findings.length > 0 ? 1 : 0
