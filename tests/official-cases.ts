import type { OfficialRole, OfficialSign } from '#contract/publishing/official.ts'
import type { Ours } from '#api/publishing/official/classify/official-channel.ts'

export const brand = { name: 'faber', ticker: 'fab' }
export const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
export const etherAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const oursAs = (kind: Ours['kind'], role: Ours['role'], name: string, value: string): Ours => ({
  kind,
  role,
  name,
  value,
})

/** The official channels of the sample project. */
export const ours: readonly Ours[] = [
  oursAs('link', 'document', 'White paper', 'https://faber.example/assets/pdfs/white-paper.pdf'),
  oursAs('link', 'document', 'Audit', 'https://papers.example/faber/audit.pdf'),
  oursAs('link', 'social', 'x', 'https://x.com/fabercoin'),
  oursAs('link', 'social', 'telegram', 'https://t.me/faber_official'),
  oursAs('link', 'social', 'github', 'https://github.com/faber-labs'),
  oursAs('link', 'social', 'youtube', 'https://www.youtube.com/@fabermint'),
  oursAs('link', 'social', 'linkedin', 'https://www.linkedin.com/company/faber-foundation'),
  oursAs('link', 'social', 'discord', 'https://discord.gg/FaBer42'),
  oursAs('link', 'link', 'exchange', 'https://guildhall.example'),
  oursAs('link', 'wallet', 'ios', 'https://apps.example/app/faber-wallet'),
  oursAs('link', 'wallet', 'android', 'https://play.google.com/store/apps/details?id=example.faber'),
  oursAs('link', 'link', 'swap', 'https://swap.example/#/swap?out=TOKEN'),
  oursAs('link', 'social', 'facebook', 'https://www.facebook.com/profile.php?id=100020003000'),
  oursAs('link', 'social', 'reddit', 'https://www.reddit.com/r/fabermint'),
  oursAs('email', 'contact', '', 'hello@faber.example'),
  oursAs('email', 'sender', '', 'news@faber.example'),
  oursAs('phone', 'phone', '', '+1 555 0100 199'),
  oursAs('coin', 'receiving', 'BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'),
  oursAs('coin', 'receiving', 'ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'),
  oursAs('coin', 'receiving', 'LTC', 'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ'),
  oursAs('link', 'social', 'mastodon', 'https://fosstodon.org/@fabermint'),
  oursAs('domain', 'added', 'Status page', 'faber-status.example'),
  oursAs('domain', 'site', '', 'https://faber.example'),
]

/** Several entries in one line of the table. */
const each = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' ¦ '))

/**
 * Items that imitate ours or hide what they are, by the sign that is detected. None of them may be reported as
 * official.
 */
export const similarOnes: Readonly<Partial<Record<OfficialSign, readonly string[]>>> = {
  homograph: each(
    'https://fabér.example ¦ https://fâber.example ¦ faḅer.example ¦ fåber.example/login ¦ fabęr.example',
    'ḟaber.example ¦ https://fabeř.example/news ¦ fabẹr.example ¦ xn--fabr-dpa.example',
    'https://xn--fber-5na.example ¦ https://guıldhall.example ¦ guíldhall.example ¦ ɡuildhall.example',
    'fabër.example ¦ fabèr.com ¦ https://fáber.example ¦ fabeŕ.example ¦ www.fàber.example',
    'fäber.example?x=1 ¦ @fabercoîn ¦ https://t.me/faber_officiál ¦ hello@fabér.example',
    'News <news@fåber.example>',
  ),
  mixed_scripts: each(
    'https://fаber.example ¦ fabеr.example ¦ https://fаbеr.example ¦ fabeг.example ¦ aberο.example',
    'gυildhall.example ¦ guildһall.example ¦ https://fαber.example ¦ faвer.example',
    'https://www.fаber.example/claim ¦ fabеr-wallet.example ¦ fаber-airdrop.com ¦ xn--fber-43d.example',
    'https://xn--fabr-x4d.example ¦ fabеr.org ¦ fабer.example ¦ https://guiӏdhall.example',
    'guildhаll.example ¦ fаber.example.evil.test ¦ faber-ѕtatus.example',
  ),
  look_alike: each(
    'https://fab3r.example ¦ f4ber.example ¦ fa8er.example ¦ https://f4b3r.example ¦ gu1ldhall.example',
    'guildhal1.example ¦ guildha11.example ¦ https://guiIdhall.example ¦ gulldhall.example',
    'gui1dhaII.example ¦ gui1dhall.example ¦ faber-5tatus.example ¦ faber-5tatu5.example ¦ fab3r.com',
    'f4ber.org ¦ guildhaII.com ¦ @faberc0in ¦ https://x.com/fab3rcoin ¦ https://t.me/faber_0fficial',
    't.me/faber_officia1 ¦ x.com/faberco1n ¦ @fabercoln ¦ https://x.com/faber_coin ¦ @faber.coin',
    'https://github.com/faber-1abs ¦ https://t.me/faberofficial ¦ youtube.com/@faberrnint',
    'https://github.com/faberlabs ¦ x.com/faberC0in ¦ https://www.linkedin.com/company/faberfoundation',
    'hello@fab3r.example ¦ news@f4ber.example ¦ Help <hello@guiIdhall.example>',
    'mailto:hello@fa8er.example ¦ guildha1l.example ¦ https://discord.gg/faber42 ¦ discord.gg/FABER42',
  ),
  near_miss: each(
    'https://fabre.example ¦ fber.example ¦ faber.exmaple ¦ faberr.example ¦ fabber.example',
    'faaber.example ¦ afber.example ¦ https://fabet.example ¦ fader.example ¦ faver.example',
    'gaber.example ¦ faber.exampel ¦ faber.eample ¦ faber.examples ¦ guildhal.example ¦ guidlhall.example',
    'gildhall.example ¦ guildhall.exampl ¦ guuildhall.example ¦ guildhell.com ¦ fabr.example',
    'ғавег.example ¦ fqber.example ¦ https://fabe.example ¦ faber-sttaus.example ¦ faber-statu.example',
    'faberstatus.example ¦ @fabercoinn ¦ @fabercon ¦ x.com/fabercion ¦ t.me/faber_oficial',
    'github.com/faber-lab ¦ youtube.com/@fabermnit ¦ hello@fabre.example ¦ news@faberr.example',
    'https://discord.gg/FaBer43 ¦ discord.gg/FaBer4 ¦ discord.com/invite/FaBre42 ¦ https://discord.gg/xFaBer42',
    '+1 555 0100 198 ¦ +1 555 0100 99 ¦ 001 555 0101 199',
  ),
  other_ending: each(
    'https://faber.com ¦ faber.org ¦ faber.net/claim ¦ www.faber.io ¦ https://faber.co.uk ¦ faber.xyz',
    'faber.app ¦ faber.finance ¦ guildhall.com ¦ https://guildhall.exchange ¦ faber-status.com',
    'faber.eth ¦ faber.中国 ¦ hello@faber.com ¦ News <news@faber.org> ¦ faber.github.io',
  ),
  below_another: each(
    'https://faber.example.evil.test ¦ faber.example.login.test/x ¦ faber.evil.test',
    'https://www.faber.example.secure-pay.test ¦ faber.example-login.test ¦ login.faber.evil.co.uk',
    'https://fab3r.example.evil.test ¦ faber-wallet.evil.test ¦ guildhall.example.evil.test',
    'https://faber.example.com-airdrop.test ¦ hello@faber.example.evil.test ¦ hello@faber.evil.test',
    'News <x@mail.faber.evil.test>',
  ),
  added_words: each(
    'https://faber-airdrop.example ¦ faber-wallet.com ¦ airdrop-faber.io ¦ getfaber.com',
    'fabercoin.example ¦ faber-support.org ¦ myfaber.app ¦ claimfaber.xyz ¦ faber-token-sale.com',
    'fab-airdrop.com ¦ fabtoken.io ¦ buy-fab.com ¦ faberofficial.net ¦ faber-login.example/x',
    'www-faber.example ¦ wwwfaber.example ¦ fab3r-airdrop.com ¦ faber-example.com',
    'https://faberexample.com ¦ @faber_support ¦ t.me/faber_airdrop ¦ x.com/faber_help',
    'https://t.me/fabercoin_admin ¦ @official_faber ¦ x.com/faber ¦ instagram.com/faber.giveaway',
    'https://discord.com/users/faber-mod ¦ faber.support@gmail.com ¦ fabercoin@outlook.com',
    'support+faber.example@evil.test ¦ hello.faber.example@gmail.com ¦ faber-example.translate.goog',
    'my-faber-app.vercel.app ¦ faber.example:x@evil.test ¦ faber-team@proton.me',
    'reddit.com/u/faber_support',
  ),
  in_path: each(
    'https://evil.test/faber.example/login ¦ evil.test/?to=https://faber.example',
    'https://evil.test/#faber.example ¦ https://www.google.com/url?q=https://faber.example',
    'https://evil.test/r?u=https%3A%2F%2Ffaber.example ¦ https://evil.test/https:/fab3r.example/x',
    'evil.test/guildhall.example',
  ),
  user_info: each(
    'https://faber.example@evil.test ¦ https://faber.example:443@evil.test/x',
    'https://faber.example%2f@evil.test ¦ http://hello@faber.example/ ¦ https://user:pass@faber.example',
    'https://faber.example@bit.ly/x ¦ https://faber.example@1.2.3.4/login',
  ),
  backslash: each(
    'https://faber.example\\@evil.test ¦ https://evil.test\\faber.example',
    'https:\\\\faber.example\\login ¦ https://faber.example\\.evil.test',
  ),
  escaped: each(
    'https://%66aber.example ¦ https://f%61ber.example/x ¦ https://faber%2eexample',
    'https://faber.ex%61mple ¦ https://faber.example%40evil.test ¦ https://faber.example%40evil.test/login',
    'faber.example%40evil.test/x ¦ hello%40faber.example ¦ mailto:hello%40faber.example ¦ https://youtube.com/%40fabermint',
    'https://fosstodon.org/%40fabermint ¦ https://faber.example/%40evil.test ¦ https://evil.test%40faber.example',
  ),
  invisible: each(
    'https://fa\u200bber.example ¦ faber\u200d.example ¦ fab\u00ader.example',
    'https://faber.\u2060example ¦ fa\ufeffber.example ¦ hello@fa\u200cber.example ¦ @faber\u200bcoin',
    'https://fa\nber.example ¦ https://fab\ter.example ¦ 0x5aAeb6053F3E\u200b94C9b9A09f33669435E7Ef1BeAed',
    'bc1qw508d6qejxtdg4y5r3\u200bzarvary0c5xw7kv8f3t4 ¦ fa\u115fber.example ¦ fab\ufe0fer.example',
    'https://t.me/faber_\u200bofficial',
  ),
  bidi: each(
    '\u202eelpmaxe.rebaf ¦ https://faber.\u202eexample ¦ https://\u2066faber.example\u2069',
    'faber\u200f.example ¦ https://faber.example/\u202efdp.exe ¦ hello@\u202dfaber.example',
  ),
  full_width: each(
    'ｆａｂｅｒ．ｅｘａｍｐｌｅ ¦ https://faber。example ¦ ｆaber.example ¦ https://faber．example/login',
    'hello＠faber.example ¦ ＠fabercoin ¦ https：//faber.example ¦ faber｡example',
  ),
  styled: each(
    '𝐟𝐚𝐛𝐞𝐫.example ¦ ⓕⓐⓑⓔⓡ.example ¦ 𝖋𝖆𝖇𝖊𝖗.example ¦ https://faber.ℯxample ¦ faber.exampˡe',
    '@𝒇abercoin ¦ 𝚏𝚊𝚋𝚎𝚛.example/x ¦ ᶠaber.example',
  ),
  dangerous_scheme: each(
    'javascript:alert(1) ¦ JaVaScRiPt:alert(document.cookie) ¦ java\nscript:alert(1)',
    'data:text/html,<h1>faber.example</h1> ¦ vbscript:x ¦ blob:https://faber.example/1',
    'view-source:https://faber.example ¦ file:///etc/passwd',
    ' javascript:location="https://faber.example" ¦ intent://faber.example#Intent;end',
  ),
  display_name: each(
    'faber Support <x@evil.test> ¦ "hello@faber.example" <x@evil.test> ¦ fABER <noreply@mail.test>',
    'Fab3r Team <a@b.test> ¦ faber | Airdrop <win@gmail.com> ¦ Fàber <x@evil.test>',
    'The fab Team <info@evil.test> ¦ "faber Foundation" <security@evil.test>',
  ),
  other_network: each(
    't.me/fabercoin ¦ https://instagram.com/fabercoin ¦ https://x.com/faber_official',
    'https://t.me/fabermint ¦ github.com/fabercoin ¦ tiktok.com/@fabermint',
  ),
  other_port: each('https://faber.example:8443 ¦ faber.example:81/login'),
  address_poisoning: each(
    '0x5aAe000000000000000000000000000000001BeAed ¦ 0x5aaeb6053f3e0000000000000000000011beaed1',
    'bc1qw508aaaaaaaaaaaaaaaaaaaaaaaaaaaaa7kv8f3t4 ¦ 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAec',
    '0x5aa1111111111111111111111111111111111aed ¦ bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8ft34 ¦ ethereum:0x5aAeFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF1BeAed',
    'bitcoin:bc1qw50aaaaaaaaaaaaaaaaaaaaaaaaaaaaaav8f3t4?amount=1',
    '0x5aaeb60530000000000000000000000000000000',
  ),
  address_letters: each(
    'lvudpncssj6pq7t9pv6d6suklkoqdevunj ¦ LVUDPNCSSJ6PQ7T9PV6D6SUKLKOQDEVUNJ ¦ LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUNJ',
    'LVuDpNCSSj6pQ7t9Рv6d6sUkLKoqDEVUnJ ¦ LVuDpNCSSj6pQ7t9Pv6d6sUkLK0qDEVUnJ ¦ LVuDpNCSSj6pQ7t9Pv6d6sUkLKOqDEVUnJ',
    '0x5аAeb6053F3E94C9b9A09f33669435E7Ef1BeAed ¦ Ox5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed ¦ 0x5АAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aAeb6O53F3E94C9b9A09f33669435E7Ef1BeAed ¦ 0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    'bc1qw5o8d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ¦ bc1qw508d6qejxtdg4y5r3zаrvary0c5xw7kv8f3t4 ¦ bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bitcoin:bc1qw5O8d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1 ¦ bitcoin:bc1qw508d6qejxtdg4y5r3zаrvary0c5xw7kv8f3t4',
    '请付款到 LVuDpNCSSj6pQ7t9Рv6d6sUkLKoqDEVUnJ ¦ 地址：lvudpncssj6pq7t9pv6d6suklkoqdevunj',
  ),
  carries_more: each(
    'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.1&lightning=lnbc1evil',
    'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?pj=https://evil.example/pj',
    'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?label=https://evil.example ¦ bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4@1',
    'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=1',
    'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@137 ¦ ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed;x',
    'mailto:hello@faber.example?cc=attacker@evil.example ¦ mailto:hello@faber.example?subject=x&bcc=attacker@evil.example',
    'mailto:hello@faber.example?to=attacker@evil.example ¦ mailto:hello@faber.example?body=https://evil.example',
    'hello@faber.example?cc=attacker@evil.example',
  ),
}

/** Our own items, in every accepted spelling. */
export const genuine: Readonly<Partial<Record<OfficialRole, readonly string[]>>> = {
  site: each(
    'https://faber.example ¦ faber.example ¦ fABER.example/News ¦ http://faber.example',
    'www.faber.example ¦ https://faber.example/login?next=%2Faccount#top ¦  https://faber.example \n',
    '<https://faber.example> ¦ https://faber.example。 ¦ 👉 https://faber.example ¦ （https://faber.example）',
    '<https://faber.example> ¦ https://faber.example:443/x',
    'hxxps://faber[.]example ¦ //faber.example/x ¦ faber.example. ¦ https://mail.faber.example',
    '“https://faber.example/cn” ¦ https://faber.example/x?mail=a%40mail.test',
  ),
  document: each('https://faber.example/assets/pdfs/white-paper.pdf ¦ papers.example/faber/audit.pdf'),
  added: each('https://faber-status.example/today'),
  link: each('https://guildhall.example/trade/fab ¦ https://swap.example/#/swap?out=TOKEN'),
  wallet: each(
    'https://apps.example/app/faber-wallet?hl=en ¦ play.google.com/store/apps/details?hl=en&id=example.faber',
    'https://play.google.com/store/apps/details?id=example.faber&utm_source=x',
  ),
  social: each(
    'https://x.com/fabercoin ¦ twitter.com/faberCoin ¦ https://x.com/fabercoin/media ¦ r/fabermint',
    'https://m.facebook.com/profile.php?id=100020003000 ¦ https://discord.gg/FaBer42',
    'https://t.me/faber_official ¦ telegram.me/s/faber_Official ¦ tg://resolve?domain=faber_official',
    'https://github.com/faber-labs/node ¦ https://m.youtube.com/@fabermint',
    'linkedin.com/company/faber-foundation/ ¦ https://discord.com/invite/FaBer42',
    'https://fosstodon.org/@fabermint ¦ fosstodon.org/@fabermint/',
  ),
  contact: each(
    'hello@faber.example ¦ HELLO@faber.Example ¦ mailto:hello@faber.example?subject=x',
    'faber <hello@faber.example> ¦ hello+win@faber.example ¦ hello[at]faber[.]example',
  ),
  sender: each('news@faber.example'),
  phone: each(
    '+1 555 0100 199 ¦ +1 (555) 0100-199 ¦ 0015550100199 ¦ tel:+1-555-0100-199',
    'tel:555-0100-199;phone-context=+1 ¦ \u202d+1 555 0100 199\u202c ¦ https://api.whatsapp.com/send?phone=15550100199',
    '+１ ５５５ ０１００ １９９ ¦ +١ ٥٥٥ ٠١٠٠ ١٩٩ ¦ https://wa.me/15550100199 ¦ wa.me/+15550100199/?text=Hello',
  ),
  receiving: each(
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ¦ BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.1',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed ¦ 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ ¦ 0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=2 ¦ ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1',
  ),
}

/** Items that are unrelated to us: neither official nor suspicious. */
export const unrelated: readonly string[] = each(
  'https://wikipedia.org ¦ https://www.bbc.co.uk/news ¦ example.org ¦ https://github.com/nodejs/node',
  'https://x.com/nodejs ¦ @nodejs ¦ someone@example.org ¦ Ada <ada@example.org> ¦ https://例子.中国',
  'https://münchen.de ¦ xn--mnchen-3ya.de ¦ https://bit.ly/3xyz ¦ https://tinyurl.com/abcd',
  'http://192.168.0.1/admin ¦ ftp://files.example.org ¦ localhost:3000 ¦ +44 20 7946 0000',
  '(030) 901820 ¦ 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2 ¦ 0x52908400098527886E0F7030069857D2E4169EE7',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy ¦ hello world ¦ 你好 ¦ What is this? ¦ faber ¦ https://t.me/durov',
  'https://discord.gg/abcdef ¦ user#1234 ¦ r/bitcoin ¦ https://youtube.com/watch?v=dQw4w9WgXcQ',
  'papers.example/other ¦ support@faber.example ¦ https://wikipedia.org/w?mail=a%40b.test ¦ https://discord.gg/FaXYZ42',
  'https://fosstodon.org/@nodejs ¦ LQTpS3VaYTjCr4s9Y1t5zbeY26zevf7Fb3',
)

/**
 * An official item combined with something else. It is unclear what is meant, so none of them is reported as official.
 */
export const withMore: readonly string[] = each(
  'See https://faber.example. ¦ https://faber.example 领取https://evil.example/claim',
  'https://faber.example or go→https://evil.example ¦ [https://faber.example/claim](https://evil.example/claim)',
  'https://faber.example/news或者https://evil.example ¦ https://faber.example/news,https://evil.example',
  'https://faber.example/](https://evil.example) ¦ https://faber.example/|evil.example ¦ https://faber.example/或evil.example',
  'https://faber.example/login?next=https%3A%2F%2Fevil.example ¦ https://faber.example/go?u=%252F%252Fevil.example',
  'https://faber.example，https://evil.example ¦ 请看https://faber.example，谢谢 ¦ 官网：https://faber.example。请放心',
  'https://faber.example（官网） ¦ 官网（https://faber.example）已更新。 ¦ https://faber.example。谢谢',
  'hello@faber.example, attacker@evil.example ¦ Go to evil.example <hello@faber.example>',
  'attacker@evil.example <hello@faber.example> ¦ hello+evil.example/x@faber.example',
  'x.com/fabercoin t.me/evilname',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  `https://faber.example ${'word '.repeat(45)}https://evil.example`,
  `https://faber.example ${'a.example '.repeat(80)}https://evil.example`,
)

/**
 * Items that differ from ours in what decides where they lead: other pages, other kinds of names, numbers of another
 * country.
 */
export const besideOurs: readonly string[] = each(
  'https://fosstodon.org/@fabermint/113 ¦ https://fosstodon.org/@fabermint@evil.test ¦ https://fosstodon.org/@fabermin',
  'https://play.google.com/store/apps/details?id=com.evil.fakewallet ¦ https://play.google.com/store/apps/details',
  'https://play.google.com/store/apps/details?id=example.faber&id=com.evil ¦ play.google.com/store/apps/details?ID=example.faber',
  'https://play.google.com/store/apps/details?%69d=com.evil&id=example.faber ¦ https://play.google.com/store/apps/details/x?id=example.faber',
  'https://apps.example/app/faber-wallet/..%2fevil ¦ https://swap.example/#/swap?out=EVIL ¦ https://swap.example',
  'https://swap.example/?to=0x52908400098527886E0F7030069857D2E4169EE7#/swap?out=TOKEN',
  'https://linkedin.com/in/faber-foundation ¦ https://linkedin.com/school/faber-foundation ¦ reddit.com/user/fabermint ¦ u/fabermint',
  'https://facebook.com/profile.php?id=1 ¦ https://facebook.com/profile.php ¦ https://facebook.com/100020003000',
  'https://facebook.com/groups/fabercoin ¦ https://youtube.com/fabermint ¦ youtube.com/c/fabermint ¦ youtube.com/user/fabermint',
  'https://youtube.com/watch?v=fabermint ¦ https://youtube.com/playlist?list=fabermint ¦ https://x.com/i/fabercoin',
  'https://discord.com/channels/FaBer42 ¦ https://line.me/R/ti/g/fabercoin ¦ https://dsc.gg/FaBer42 ¦ https://nitter.net/fabercoin',
  'https://x.com/fabercoin/status/123 ¦ https://twitter.com/fabercoin/status/123/photo/1 ¦ FaBer42#6666 ¦ @FaBer42 ¦ discord.com/FaBer42',
  'https://github.com/faber-labs/node/commit/0123abc ¦ https://github.com/faber-labs/node/files/1/wallet.zip ¦ https://reddit.com/r/fabermint/comments/1/x',
  'https://github.com/faber-labs/node/blob/0123456789abcdef/README.md ¦ https://t.me/share/url?url=faber_official ¦ https://t.me/resolve?domain=faber_official',
  'https://mobile.t.me/faber_official ¦ tg://resolve?domain=evil&domain=faber_official ¦ tg://resolve?domain=faber_official&domain=evil',
  'https://t.me/+faber_official ¦ https://t.me/joinchat/faber_official ¦ https://vm.tiktok.com/fabercoin ¦ @fabercoin ¦ @faber_official',
  'https://wa.me15550100199.evil.example/login ¦ https://wa.me/15550100199.evil.example ¦ wa.me/15550100199@evil.example',
  'https://api.whatsapp.com/send?phone=15550100199&phone=15550100777 ¦ https://wa.me/15550100199?phone=15550100777',
  'https://wa.me/1555\u200b0100199 ¦ https://wa.me/\u202e15550100199 ¦ +1 555\u202e 0100 199 ¦ +1 555 0100\u200b199',
  '555 0100 199 ¦ 1.555.0100.199 ¦ 15550100199 ¦ 5550100199 ¦ tel:5550100199;phone-context=+44 ¦ tel:+15550100199;phone-context=+44',
  'tel:15550100199;phone-context=evil.example ¦ sms:+15550100199,+15550100777',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4@evil.example ¦ 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@evil.example',
  '+1 555 0100 199 or +1 555 0100 777 ¦ https://x.com/fabercoin/或https://evil.example',
  'litecoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ¦ bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?lightning=lnbc1evil',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4/evil.example ¦ mailto:hello@faber.example,attacker@evil.example',
)
