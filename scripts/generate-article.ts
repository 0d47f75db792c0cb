import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocaleCode } from '../shared/i18n/locales'
import { utcDay } from '../shared/utc-day'
import { seededRandom } from '../testing/seeded-random'

type Words = {
  subjects: readonly string[]
  verbs: readonly string[]
  objects: readonly string[]
  ends: readonly string[]
  join: string
  stop: string
}
const english: Words = {
  subjects: [
    'a profile',
    'the proxy',
    'every folder',
    'a colleague',
    'the flow',
    'this window',
    'the report',
    'an owner',
    'the schedule',
    'a new member',
  ],
  verbs: [
    'keeps',
    'opens',
    'checks',
    'moves',
    'names',
    'needs',
    'follows',
    'stores',
    'shows',
    'closes',
  ],
  objects: [
    'its own storage',
    'one address',
    'the shared note',
    'a second window',
    'the last state',
    'two roles',
    'the start page',
    'a list of tags',
    'the activity log',
    'one time zone',
  ],
  ends: [
    'before the shift ends',
    'after each start',
    'when the plan changes',
    'once a day',
    'without a second click',
    'in the same order',
    'until a colleague stops it',
    'on every computer',
  ],
  join: ' ',
  stop: '. ',
}
const chinese: Words = {
  subjects: [
    '每个环境',
    '代理',
    '文件夹',
    '同事',
    '流程',
    '这个窗口',
    '报告',
    '所有者',
    '计划',
    '新成员',
  ],
  verbs: ['保存', '打开', '检查', '移动', '命名', '需要', '跟随', '记录', '显示', '关闭'],
  objects: [
    '自己的存储',
    '一个地址',
    '共享备注',
    '第二个窗口',
    '最后的状态',
    '两个角色',
    '起始页',
    '标签列表',
    '操作日志',
    '一个时区',
  ],
  ends: [
    '直到换班',
    '每次启动之后',
    '计划变更时',
    '每天一次',
    '无需再次点击',
    '按相同顺序',
    '直到有人停止',
    '在每台电脑上',
  ],
  join: '',
  stop: '。',
}
const categories = ['proxies', 'operations', 'automation'] as const
const tags = ['proxy', 'teamwork', 'rpa', 'security', 'research'] as const

/**
 * An article for benchmarks, in Markdown with front matter. The same number gives the same text.
 */
export function generateArticle(number: number, locale: LocaleCode): string {
  const words = locale === 'zh' || locale === 'tc' ? chinese : english
  const random = seededRandom(number * 7919 + locale.length)
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[Math.floor(random() * list.length)]
    if (picked === undefined) throw new Error('an empty list of words')
    return picked
  }
  const clause = (): string =>
    [pick(words.subjects), pick(words.verbs), pick(words.objects), pick(words.ends)].join(
      words.join,
    )
  const sentence = (): string => {
    const text = clause()
    return text.charAt(0).toUpperCase() + text.slice(1) + words.stop
  }
  const paragraph = (): string =>
    Array.from({ length: 4 + Math.floor(random() * 4) }, sentence)
      .join('')
      .trim()
  const section = (index: number): string =>
    [
      `## ${pick(words.objects)} ${index}`,
      paragraph(),
      index % 3 === 0 ? Array.from({ length: 4 }, () => `- ${clause()}`).join('\n') : paragraph(),
      index % 4 === 1
        ? `\`\`\`js\nconst profile = await api.start('p-${number}', { check: ${random() > 0.5} })\nconsole.log(profile.ws)\n\`\`\``
        : paragraph(),
      `[${pick(words.objects)}](/blog/generated-${1 + Math.floor(random() * number)})`,
    ].join('\n\n')
  const day = utcDay(Date.UTC(2024, 0, 1 + (number % 700)))
  const chosen = [...new Set([pick(tags), pick(tags)])]
  return `---\ntitle: "${sentence().slice(0, 80).trim()} ${number}"\ndescription: "${sentence().trim()} ${sentence().trim()} ${number}"\ndate: ${day}\ncategory: ${pick(categories)}\ntags: [${chosen.join(', ')}]\n---\n\n${paragraph()}\n\n${Array.from({ length: 6 }, (_, index) => section(index + 1)).join('\n\n')}\n`
}

/** Writes the articles 1 to `count` in each language: `blog/generated-7/en.md` below `folder`. */
export function writeGeneratedArticles(
  folder: string,
  count: number,
  locales: readonly LocaleCode[],
): void {
  for (let number = 1; number <= count; number += 1) {
    const articleFolder = join(folder, 'blog', `generated-${number}`)
    mkdirSync(articleFolder, { recursive: true })
    for (const code of locales)
      writeFileSync(join(articleFolder, `${code}.md`), generateArticle(number, code))
  }
}
