// Which versions of Node can run this project: `engines.node` of package.json. CommonJS, without packages and in plain syntax, because
// ecosystem.config.js and scripts that run before the install ask it, under whatever Node the machine has.
const { engines } = require('../package.json')

const numbers = (version) => version.replace(/^v/, '').split('.').map(Number)

/** Negative, 0 or positive, as version `a` is older than, equal to or newer than `b`. */
function compare(a, b) {
  const difference = a.map((part, index) => part - b[index]).find((value) => value !== 0)
  return difference === undefined ? 0 : difference
}

/** Reads the two operators that the range uses: `^22.19.0 || >=26.0.0`. */
function isSupported(version, range = engines.node) {
  const asked = numbers(version)
  return range.split('||').some((part) => {
    const [, operator, lowest] = /^\s*(\^|>=)(\d+\.\d+\.\d+)\s*$/.exec(part) || []
    if (lowest === undefined)
      throw new Error(`engines.node of package.json: "${part.trim()}" is not ^x.y.z or >=x.y.z`)
    const from = numbers(lowest)
    return compare(asked, from) >= 0 && (operator === '>=' || asked[0] === from[0])
  })
}

module.exports = { isSupported, supportedRange: engines.node }
