import { expect, it } from '@jest/globals'
import { applicationTexts } from '../../../server/pages/render/application-texts'

const guest = { user: null, hasToken: false, referralCode: '' }

it('fills in what it knows, and leaves other placeholders', () => {
  const texts = {
    emptyTitle: 'App',
    empty: 'Nothing',
    referral: 'By {{code}}, {{other}}',
    back: 'Back',
  }
  expect(applicationTexts(texts, '/app', { ...guest, referralCode: 'r1' })).toEqual({
    title: 'App',
    lines: ['Nothing', 'By r1, {{other}}'],
    back: 'Back',
  })
})

it('shows nothing where a text is missing or is no text', () => {
  expect(applicationTexts({ back: ['Back'] }, '/app/login', guest)).toEqual({
    title: '',
    lines: [''],
    back: '',
  })
})
