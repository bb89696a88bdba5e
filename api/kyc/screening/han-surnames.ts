/** Surnames that are read differently from the same character elsewhere. */
const readings: Readonly<Record<string, string>> = {
  单: 'shan',
  單: 'shan',
  仇: 'qiu',
  解: 'xie',
  查: 'zha',
  盖: 'ge',
  蓋: 'ge',
  朴: 'piao',
  区: 'ou',
  區: 'ou',
  缪: 'miao',
  繆: 'miao',
  乐: 'yue',
  樂: 'yue',
  覃: 'qin',
  种: 'chong',
  翟: 'zhai',
  洗: 'xian',
  员: 'yun',
  員: 'yun',
  召: 'shao',
  繁: 'po',
  折: 'she',
  秘: 'bi',
  隗: 'wei',
  葛: 'ge',
  任: 'ren',
  曾: 'zeng',
  尹: 'yin',
  纪: 'ji',
  宁: 'ning',
  谌: 'chen',
  哈: 'ha',
  万俟: 'moqi',
  尉迟: 'yuchi',
  长孙: 'zhangsun',
  澹台: 'tantai',
}

const compound = new Set(
  '欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 东方 東方 皇甫 尉迟 公孙 公孫 慕容 司徒 令狐 夏侯 宇文 长孙 南宫 万俟 澹台 轩辕 淳于 单于 太史 申屠 端木 独孤 赫连 呼延 鲜于 钟离 西门 百里 东郭 闻人 濮阳 公冶 宗政 仲孙 闾丘 司空 拓跋'.split(
    ' ',
  ),
)

export const isCompoundSurname = (signs: string): boolean => compound.has(signs)
export const readSurname = (signs: string): string | undefined => readings[signs]
