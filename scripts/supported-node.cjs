// Which versions of Node can run this project: `engines.node` of package.json. CommonJS in plain
// syntax without packages, because ecosystem.config.js and scripts that run before the install use
// it, under any Node that the machine has.
const { engines } = require('../package.json')

const parse = (version) => version.replace(/^v/, '').split('.').map(Number)

/** Negative, 0 or positive if version `a` is older than, equal to or newer than `b`. */
function compare(a, b) {
  const difference = a.map((part, index) => part - b[index]).find((value) => value !== 0)
  return difference === undefined ? 0 : difference
}

/** Whether a version is in a range such as `^22.19.0 || >=26.0.0`. Other operators are an error. */
function isSupported(version, range = engines.node) {
  const parsed = parse(version)
  return range.split('||').some((part) => {
    const [, operator, minimum] = /^\s*(\^|>=)(\d+\.\d+\.\d+)\s*$/.exec(part) || []
    if (minimum === undefined)
      throw new Error(`engines.node of package.json: "${part.trim()}" is not ^x.y.z or >=x.y.z`)
    const lowest = parse(minimum)
    return compare(parsed, lowest) >= 0 && (operator === '>=' || parsed[0] === lowest[0])
  })
}

module.exports = { isSupported, supportedRange: engines.node }
