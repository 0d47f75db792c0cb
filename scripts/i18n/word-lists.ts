import type { LocaleCode } from '../../shared/i18n/locales'
import type { LanguageRule } from './language-rule'

/** A word or phrase as a regular expression, and what to write instead. */
type Word = readonly [wrong: string, better: string]
type WordList = { rule: string; words: readonly Word[] }

const calques = 'translated word for word'

/** Words that native editors replaced (docs/translations.md says why). */
const lists: Readonly<Partial<Record<LocaleCode, readonly WordList[]>>> = {
  zh: [
    {
      rule: calques,
      words: [
        ['货架上的真实价格', '买家看到的价格'],
        ['逐个入住', '逐店登录'],
        ['漏斗实地', '从当地走一遍转化流程'],
        ['收拾屋子', '收拾残局'],
        ['小而熟悉', '简单、熟悉'],
        ['当着您的面', '（删去）'],
        ['统一口径的回复', '串通好的回复'],
        ['每 ?月每', '每月'],
        ['Free 套餐', '免费套餐'],
        ['二次验证', '两步验证'],
        ['校验值', '校验和'],
      ],
    },
  ],
  tc: [
    {
      rule: calques,
      words: [
        ['您用多久就有多久', '想用多久就用多久'],
        ['輕輕地自動化', '自動化'],
        ['做家事', '收拾善後'],
        ['等候室', '售票系統的排隊機制'],
        ['真正的貨架價格', '買家看到的價格'],
        ['住自己的房間', '各用獨立設定檔'],
        ['在這裡沒有位置', '不適合'],
      ],
    },
    {
      rule: 'word of the mainland',
      words: [
        ['軟件', '軟體'],
        ['網絡', '網路'],
        ['視頻', '影片'],
        ['文件夾', '資料夾'],
        ['默認', '預設'],
        ['登錄', '登入'],
        ['質量', '品質'],
        ['信息', '資訊、訊息'],
        ['服務器', '伺服器'],
        ['打印', '列印'],
        ['屏幕', '螢幕'],
        ['鏈接', '連結'],
        ['數據(?!機)', '資料、數據'],
        ['賬[號戶]', '帳號、帳戶'],
        ['客戶端', '用戶端'],
        ['校驗碼', '總和檢查碼'],
        ['雙重驗證', '兩步驟驗證'],
        ['搜索', '搜尋'],
        ['培訓', '教育訓練'],
        ['回收站', '垃圾桶'],
      ],
    },
  ],
  jp: [
    {
      rule: calques,
      words: [
        ['全画面に(?!表示)', 'ほかの画面でも'],
        ['導線を歩く', '導線を確かめる'],
        ['小さくて、?なじみのある', 'シンプルで使い慣れた'],
        ['そっと自動化', '自動化'],
        ['他人のポケット', '他人の資金'],
        ['いくつもの目で', '複数の目で'],
        ['境界線を引', '分離する'],
        ['私たち', '当社'],
        ['待合室', '待機システム'],
        ['小さいプラン|大きいプラン', '下位プラン、上位プラン'],
        ['主のウィンドウ', '主となるウィンドウ'],
        ['業界', '業種'],
        ['二要素認証', '二段階認証'],
      ],
    },
  ],
  ko: [
    {
      rule: calques,
      words: [
        ['선을 긋', '분리하다'],
        ['집안일', '정리'],
        ['여러 눈으로', '여러 사람이'],
        ['다른 사람 주머니', '다른 사람의 돈'],
        ['팔로어', '팔로워'],
        ['파워셸', 'PowerShell'],
        ['도착 페이지', '랜딩 페이지'],
        ['통합 업체', '연동 업체'],
        ['직접 사기', '직접 구매하기'],
        ['계정을 나누', '계정을 분리하다'],
        ['작고 익숙하게', '간단하고 익숙하게'],
        ['대기실', '대기열'],
      ],
    },
  ],
  ru: [
    {
      rule: calques,
      words: [
        ['в своей полосе', 'каждый занят своим'],
        ['по часам(?= |$)', 'с секундомером'],
        ['в вашем размере', 'под ваш объём'],
        ['мало и знакомо', 'просто и привычно'],
        ['подсказк\\p{L}+ для входа', 'окно входа'],
        ['казна', 'деньги'],
        ['чужие карманы', 'чужие деньги'],
        ['многими глазами', 'с разных сторон'],
        ['забанен\\p{L}*', 'заблокированный'],
        ['партнёрск\\p{L}+ план', 'программа партнёрства'],
        ['провести? черту', 'разделить'],
        ['перекупщик\\p{L}*', 'уполномоченный агент'],
      ],
    },
  ],
  uk: [
    {
      rule: calques,
      words: [
        ['у своїй смузі', 'кожен зайнятий своїм'],
        ['у вашому розмірі', 'під ваш обсяг'],
        ['мало й знайомо', 'просто і звично'],
        ['за годинником', 'із секундоміром'],
        ['биті посилання', 'посилання, що не працюють'],
        ['у письмовому вигляді', 'письмово'],
        ['доставка', 'доставлення'],
        ['зрівняйте все', 'залиште однаковим усе'],
        ['із першого погляду', 'одразу'],
        ['полічіть', 'порахуйте'],
        ['не має строку', 'без обмеження в часі'],
        ['приватність', 'конфіденційність'],
        ['один і той же', 'той самий'],
        ['приймати участь', 'брати участь'],
      ],
    },
  ],
  vn: [
    {
      rule: calques,
      words: [
        ['nhiều con mắt', 'nhiều góc nhìn'],
        ['(?<!thiết )lập hồ sơ', 'tạo hồ sơ'],
        ['kinh doanh chênh lệch lưu lượng', 'arbitrage traffic'],
        ['trang đệm', 'trang trung gian'],
        ['nói được CDP', 'hỗ trợ CDP'],
        ['họ có thể đứng ngoài', 'họ không cần tham gia'],
        ['tự đầy lên', 'tự hình thành'],
        ['cho đàng hoàng', 'bài bản'],
        ['nhà xuất bản', 'publisher'],
        ['trình duyệt hồ sơ', 'trình duyệt đa tài khoản'],
      ],
    },
  ],
  th: [
    {
      rule: calques,
      words: [
        ['ในเลนของตัวเอง', 'ในงานของตัวเอง'],
        ['บ้านหลังเดียว', 'ที่เดียว'],
        ['ชั้นวางจริง', 'ราคาที่ผู้ซื้อเห็น'],
        ['แอมะซอน', 'Amazon'],
        ['หน้าแลนดิ้ง', 'แลนดิ้งเพจ'],
        ['แคปต์?ชา', 'CAPTCHA'],
        ['แอปกระจายศูนย์', 'dApp'],
        ['ตัวสำรวจบล็อก', 'Block Explorer'],
        ['โดนแบน', 'ถูกระงับ'],
        ['คืนที่อยู่', 'ส่งที่อยู่กลับมา'],
        ['เดินฟันเนล', 'ลองฟันเนล'],
        ['ค่าตรวจสอบไฟล์', 'ค่าเช็กซัม'],
      ],
    },
  ],
  hi: [
    {
      rule: calques,
      words: [
        ['अपनी लेन में', 'अपने काम में'],
        ['असली शेल्फ़', 'खरीदार को दिखने वाला'],
        ['कई नज़रों से', 'कई लोग'],
        ['अकेली कुंजिय', 'एक-कुंजी शॉर्टकट'],
        ['थोक पोस्टिंग', 'बल्क पोस्टिंग'],
        ['साफ़-सुथरी विदाई', 'व्यवस्थित समापन'],
        ['संस्करण', 'वर्शन'],
        ['निजता', 'गोपनीयता'],
        ['नामज़द', 'तय'],
        ['ट्रैफ़िकिंग', 'ऑपरेशन टीम'],
        ['यादृच्छिक', 'रैंडम'],
        ['अनुपालन', 'कंप्लायंस'],
      ],
    },
  ],
  es: [
    {
      rule: calques,
      words: [
        ['con muchos ojos', 'desde varios puntos de vista'],
        ['por su carril', 'en lo suyo'],
        ['tarea doméstica', 'limpieza'],
        ['pequeña y conocida', 'sencilla y conocida'],
        ['prueba en pequeño', 'empieza con poco'],
        ['de una pieza', 'completo'],
        ['interfaz de bucle local', 'tu propia máquina'],
        ['traza la línea', 'separa'],
        ['aviso de acceso', 'ventana de acceso'],
        ['sin suposiciones', 'con datos'],
      ],
    },
    {
      rule: 'used in Spain only',
      words: [
        ['vosotros', 'tú, ustedes'],
        ['\\p{L}+(?:áis|éis)(?!\\p{L})', 'tú'],
        ['(?<=(?:tu|el|un|del|al) )móvil', 'teléfono'],
        ['mala pinta', 'mal aspecto'],
      ],
    },
  ],
  pt: [
    {
      rule: 'Brazilian word',
      words: [
        ['senhas?', 'palavra-passe'],
        ['usuári[oa]s?', 'utilizador'],
        ['telas?', 'ecrã'],
        ['arquivos?', 'ficheiro'],
        ['equipes?', 'equipa'],
        ['conex(?:ão|ões)', 'ligação'],
        ['cadastr\\p{L}+', 'registo, criar conta'],
        ['planilhas?', 'folha de cálculo'],
        ['vocês?', 'terceira pessoa'],
        ['deletar\\p{L}*|deleta', 'eliminar'],
        ['celular(?:es)?', 'telemóvel'],
        ['registro', 'registo'],
        ['contatos?|contate|contatar', 'contacto'],
        ['gerenci\\p{L}+', 'gerir'],
        ['compartilh\\p{L}+', 'partilhar'],
        ['salvar|salve', 'guardar'],
        ['baix(?:ar|e)(?= (?:o|a) (?:ficheiro|programa|instalador|aplicação))', 'transferir'],
        ['aplicativos?', 'aplicação'],
        ['clique no mouse|mouse', 'rato'],
        ['rotear\\p{L}*', 'encaminhar'],
        ['acessar|acesse', 'aceder'],
        ['monitora(?:r|mento)\\p{L}*', 'monitorizar'],
        ['em uma?(?= )', 'num, numa'],
        ['fato(?= que| de| é)', 'facto'],
      ],
    },
    {
      rule: calques,
      words: [
        ['na sua faixa', 'no seu trabalho'],
        ['nenhum fio trocado', 'sem confusões'],
        ['teste em pequeno', 'comece com pouco'],
        ['pequena e conhecida', 'simples e conhecida'],
        ['aviso de acesso', 'janela de início de sessão'],
        ['janela que conduz', 'janela principal'],
        ['dia inteiro de contas', 'dia inteiro a gerir contas'],
      ],
    },
  ],
  fr: [
    {
      rule: calques,
      words: [
        ['dans son couloir', 'chacun son travail'],
        ['avec beaucoup d’yeux', 'de plusieurs points de vue'],
        ['petite et familière', 'simple et familière'],
        ['testez petit', 'commencez petit'],
        ['à votre taille', 'adapté à votre volume'],
        ['sort(?:ent)? par le proxy', 'se connecte via le proxy'],
        ['par DevTools', 'via DevTools'],
        ['comptes clients', 'les comptes de vos clients'],
        ['formules? plus (?:grande|petite)s?', 'formule supérieure, inférieure'],
        ['règles des lieux', 'règles des plateformes'],
        ['aucun fil croisé', 'sans confusion'],
        ['vie privée', 'confidentialité'],
      ],
    },
  ],
  tr: [
    {
      rule: calques,
      words: [
        ['kol mesafesi', 'güvenli mesafe'],
        ['ev işi', 'ortalığı toplamak'],
        ['tarih düşün', 'tarih atın'],
        ['yerleşim masası', 'ekip'],
        ['kendi şeridinde', 'kendi işinde'],
        ['her pazar(?!yer)', 'her ülke'],
        ['medya alıcı', 'medya satın alma uzmanı'],
        ['istemci', 'uygulama'],
        ['kılavuz', 'rehber'],
        ['proxy sunucu', 'proxy'],
        ['tahmin etmeden', 'verilerle'],
        ['bir insan(?!\\p{L})', 'gerçek bir kişi'],
        ['fark edilmez', 'tespit edilemez'],
      ],
    },
  ],
}

const isSpaced = (locale: LocaleCode): boolean => !['zh', 'tc', 'jp', 'th', 'ko'].includes(locale)

/** The word lists of a language as rules: each finding names what to write instead. */
export const wordRules = (locale: LocaleCode): LanguageRule[] =>
  (lists[locale] ?? []).map(({ rule, words }) => {
    const patterns = words.map(([wrong, better]) => ({
      better,
      expression: isSpaced(locale)
        ? new RegExp(`(?<!\\p{L})(?:${wrong})(?!\\p{L})`, 'giu')
        : new RegExp(wrong, 'gu'),
    }))
    return {
      name: rule,
      find: (text) =>
        patterns.flatMap(({ expression, better }) =>
          (text.match(expression) ?? []).map((found) => `${found} → ${better}`),
        ),
    }
  })
