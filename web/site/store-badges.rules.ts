import type { Language } from '#contract/platform/fields.ts'
import type { LocalizedBrand } from '../kernel/content/brand.tsx'

type Links = LocalizedBrand['links']

/** In Chinese, the Android badge links to the file itself, because the store is not available everywhere. */
export const androidLink = (
  { wallet }: Links,
  language: Language,
): { href: string | undefined; isFile: boolean } =>
  language === 'cn' && wallet.androidCn
    ? { href: wallet.androidCn, isFile: true }
    : { href: wallet.android, isFile: false }

/** Whether a wallet is available for any system. */
export const offersWallet = ({ wallet, downloads }: Links): boolean =>
  [wallet.ios, wallet.android, wallet.androidCn, downloads].some(Boolean)
