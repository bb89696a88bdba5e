import type { PlainKey } from '../i18n/message-key.ts'

/** Names of items in the brand. */
const nameLabels: Readonly<Record<string, PlainKey>> = {
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

/** Any other name is shown unchanged. */
export const channelName = (t: (key: PlainKey) => string, name: string): string =>
  Object.hasOwn(nameLabels, name) ? t(nameLabels[name]!) : name
