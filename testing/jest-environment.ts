/** Tells the setup file whether the current test has failed, which hooks cannot find out. */
import { TestEnvironment } from 'jest-environment-node'

type CircusEvent = { name: string }

export default class FailureAwareEnvironment extends TestEnvironment {
  handleTestEvent({ name }: CircusEvent): void {
    if (name === 'test_start') this.global['hasTestFailed'] = false
    if (name === 'test_fn_failure') this.global['hasTestFailed'] = true
  }
}
