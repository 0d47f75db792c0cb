import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import Database from 'better-sqlite3'
import { createTables, searchTable } from '../../../server/content/tables'
import { createCandidateFinder } from '../../../server/search/candidates'
import type { CollectionFilter } from '../../../server/search/match-expression'
import { readQuery } from '../../../server/search/read-query'

let db: Database.Database
beforeEach(() => {
  db = new Database(':memory:')
  db.exec(createTables)
})
afterEach(() => {
  db.close()
})

/** Adds an English page to the search index. The page with key 1 has the title `page1`. */
function addPage(key: number, body: string, collection = 'docs'): void {
  db.prepare(
    `INSERT INTO ${searchTable('en')} (rowid, title, headings, summary, body, collection)
     VALUES (?, ?, '', '', ?, ?)`,
  ).run(key, `page${key}`, body, collection)
}
/** Keys of the pages that a question finds, best first. */
function find(question: string, collections: CollectionFilter = { except: [] }): number[] {
  const { candidates } = createCandidateFinder(db)({
    query: readQuery(question, 'en'),
    locale: 'en',
    collections,
    enough: 10,
    maxShown: 40,
    namesOnly: false,
  })
  return candidates.toSorted((a, b) => a.stage - b.stage || b.score - a.score).map(({ key }) => key)
}

describe('the words of a question', () => {
  beforeEach(() => {
    for (let key = 1; key <= 20; key += 1) addPage(key, 'the profile opens the window')
  })

  it('need not include the common ones in a page that answers', () => {
    addPage(21, 'the profile pauses captcha images')
    addPage(22, 'profile pauses captcha images')
    // Page 22 lacks only "the". It is first because it is shorter: its words make up more of it.
    expect(find('the profile pauses captcha images')).toEqual([22, 21])
  })
  it('are all looked for where all are common', () => {
    expect(find('the profile opens the window')).toHaveLength(20)
  })
  it('are all looked for where the site has none of the rare ones', () => {
    expect(find('profile opens zebra giraffe')).toHaveLength(20)
    addPage(21, 'a zebra', 'news')
    expect(find('profile opens zebra giraffe', { only: 'docs' })).toHaveLength(20)
  })
  it('are common only while half of the newest pages contain them', () => {
    for (let key = 101; key <= 700; key += 1) addPage(key, 'release notes')
    expect(find('release notes of every profile').slice(0, 20)).not.toContain(700)
  })
})
