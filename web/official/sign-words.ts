import type { OfficialRole, OfficialSign } from '#contract/official.ts'
import type { KeyTaking, PlainKey } from '../i18n/message-key.ts'

export const signWords = {
  bidi: 'official.sign.bidi',
  invisible: 'official.sign.invisible',
  full_width: 'official.sign.full_width',
  styled: 'official.sign.styled',
  mixed_scripts: 'official.sign.mixed_scripts',
  homograph: 'official.sign.homograph',
  look_alike: 'official.sign.look_alike',
  near_miss: 'official.sign.near_miss',
  other_ending: 'official.sign.other_ending',
  below_another: 'official.sign.below_another',
  added_words: 'official.sign.added_words',
  in_path: 'official.sign.in_path',
  user_info: 'official.sign.user_info',
  backslash: 'official.sign.backslash',
  escaped: 'official.sign.escaped',
  dangerous_scheme: 'official.sign.dangerous_scheme',
  display_name: 'official.sign.display_name',
  other_network: 'official.sign.other_network',
  other_port: 'official.sign.other_port',
  address_poisoning: 'official.sign.address_poisoning',
  address_letters: 'official.sign.address_letters',
  carries_more: 'official.sign.carries_more',
  punycode: 'official.sign.punycode',
  shortener: 'official.sign.shortener',
  ip_address: 'official.sign.ip_address',
  other_scheme: 'official.sign.other_scheme',
  plain_http: 'official.sign.plain_http',
  plus_address: 'official.sign.plus_address',
  our_domain: 'official.sign.our_domain',
  only_there: 'official.sign.only_there',
  no_country_code: 'official.sign.no_country_code',
  other_page: 'official.sign.other_page',
  checksum: 'official.sign.checksum',
  test_network: 'official.sign.test_network',
  several: 'official.sign.several',
} as const satisfies Record<OfficialSign, KeyTaking<'detail' | 'ours'>>

export const roleWords = {
  site: 'official.role.site',
  contact: 'official.role.contact',
  sender: 'official.role.sender',
  phone: 'official.role.phone',
  social: 'official.role.social',
  link: 'official.role.link',
  wallet: 'official.role.wallet',
  document: 'official.role.document',
  receiving: 'official.role.receiving',
  added: 'official.role.added',
} as const satisfies Record<OfficialRole, KeyTaking<'name'>>

/** Of what stands in the brand under a name of its own. */
const nameWords: Readonly<Record<string, PlainKey>> = {
  x: 'official.name.x',
  github: 'official.name.github',
  telegram: 'official.name.telegram',
  wechat: 'official.name.wechat',
  youtube: 'official.name.youtube',
  linkedin: 'official.name.linkedin',
  weibo: 'official.name.weibo',
  ios: 'official.name.ios',
  android: 'official.name.android',
  androidCn: 'official.name.androidCn',
  newsletter: 'official.name.newsletter',
  blog: 'official.name.blog',
  mining: 'official.name.mining',
  exchange: 'official.name.exchange',
  explorer: 'official.name.explorer',
  testExplorer: 'official.name.testExplorer',
  downloads: 'official.name.downloads',
}

/** Any other name is said as it was given. */
export const sayName = (t: (key: PlainKey) => string, name: string): string =>
  Object.hasOwn(nameWords, name) ? t(nameWords[name]!) : name
